// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values for the parameters of an entry, from files, literals, a seed and options about extents.
#include "pypto/ExecutionEngine/Runner.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;

namespace {
/// Sizes of random inputs: odd, and different from one another.
constexpr int64_t kDefaultExtents[] = {37, 53, 29, 61, 23, 43, 19, 47};

class ArgumentMaker {
public:
  ArgumentMaker(const Signature &signature, const RunOptions &options)
      : signature(signature), options(options), values(signature.parameters.size()) {}
  llvm::Expected<SmallVector<HostValue>> run();

private:
  StringAttr findSymbol(StringRef name) const;
  llvm::Error readDims();
  llvm::Error readInputs();
  llvm::Error readInput(unsigned index, StringRef text, ArrayRef<unsigned> inputs);
  llvm::Error readTensor(unsigned index, StringRef path, ArrayRef<unsigned> inputs);
  llvm::Error bindDefaults();
  llvm::Error makeMissing();
  llvm::Expected<SmallVector<int64_t>> getShape(unsigned index);
  llvm::Error setValid();
  llvm::Error readValids();
  llvm::Error checkNoAlias();

  const Parameter &getParameter(unsigned index) const { return signature.parameters[index]; }
  std::optional<unsigned> findParameter(StringRef name) const;
  /// "argument 2 ('x')": how messages name a parameter.
  std::string describe(unsigned index) const;

  const Signature &signature;
  const RunOptions &options;
  SymbolValues symbols;
  SmallVector<HostValue> values;
  /// Extents given by `--dim=x.0=37`.
  llvm::DenseMap<std::pair<unsigned, unsigned>, int64_t> givenExtents;
  /// Files of the tensors that were read, by parameter.
  SmallVector<std::pair<unsigned, std::string>> files;
  unsigned nextDefault = 0;
};
} // namespace

std::optional<unsigned> ArgumentMaker::findParameter(StringRef name) const {
  for (auto [index, parameter] : llvm::enumerate(signature.parameters))
    if (parameter.name == name)
      return index;
  unsigned index;
  if (!name.getAsInteger(10, index) && index < signature.parameters.size())
    return index;
  return std::nullopt;
}

std::string ArgumentMaker::describe(unsigned index) const {
  return "parameter '" + getParameter(index).name + "'";
}

//===- Extents ----------------------------------------------------------------===//

/// Null if no type of a parameter has such a name.
StringAttr ArgumentMaker::findSymbol(StringRef name) const {
  StringAttr found;
  for (const Parameter &parameter : signature.parameters)
    pl::forEachSymbol(parameter.type, [&](StringAttr symbol) {
      if (symbol.getValue() == name)
        found = symbol;
    });
  return found;
}

llvm::Error ArgumentMaker::readDims() {
  for (StringRef dim : options.dims) {
    auto [name, number] = dim.rsplit('=');
    int64_t value;
    if (name.empty() || number.getAsInteger(10, value) || value < 0)
      return makeError("expects --dim=<name>=<size>, but got '" + dim + "'");
    auto [parameterName, axisText] = name.rsplit('.');
    unsigned axis;
    if (axisText.empty()) {
      StringAttr symbol = findSymbol(name);
      if (!symbol)
        return makeError("--dim=" + dim + " names no extent of a parameter");
      if (llvm::Error error = symbols.bind(symbol, value, "--dim"))
        return error;
      continue;
    }
    std::optional<unsigned> index = findParameter(parameterName);
    auto tensor = index ? getParameter(*index).getTensor() : pl::TensorType();
    if (!tensor || axisText.getAsInteger(10, axis) || axis >= tensor.getRank())
      return makeError("--dim=" + dim + " names no dimension of a parameter");
    givenExtents[{*index, axis}] = value;
  }
  return llvm::Error::success();
}

/// Random inputs: gives a size to each name that is still without one.
llvm::Error ArgumentMaker::bindDefaults() {
  for (const Parameter &parameter : signature.parameters) {
    pl::TensorType tensor = parameter.getTensor();
    if (!tensor)
      continue;
    for (pl::ExtentAttr extent : tensor.getExtents()) {
      if (!extent.isSymbol() || symbols.isBound(extent.getSymbolName()))
        continue;
      int64_t size = kDefaultExtents[nextDefault++ % std::size(kDefaultExtents)];
      if (llvm::Error error = symbols.bind(extent.getSymbolName(), size, "the defaults"))
        return error;
    }
  }
  return llvm::Error::success();
}

llvm::Expected<SmallVector<int64_t>> ArgumentMaker::getShape(unsigned index) {
  SmallVector<int64_t> shape;
  for (auto [axis, extent] : llvm::enumerate(getParameter(index).getTensor().getExtents())) {
    auto given = givenExtents.find({index, axis});
    std::optional<int64_t> value = symbols.evaluate(extent);
    if (given != givenExtents.end())
      value = given->second;
    else if (!value && extent.isDynamic() && options.seed)
      value = kDefaultExtents[nextDefault++ % std::size(kDefaultExtents)];
    if (value && *value >= 0) {
      shape.push_back(*value);
      continue;
    }
    std::string text;
    llvm::raw_string_ostream os(text);
    extent.printExpression(os);
    std::string remedy =
        " (--dim=" + getParameter(index).name + "." + std::to_string(axis) + "=<size> gives it)";
    if (StringAttr name = symbols.findUnbound(extent))
      return makeError("extent '" + name.getValue() + "' of " + describe(index) +
                       " is not bound by any argument (--dim=" + name.getValue() +
                       "=<size> gives it)");
    return makeError("extent " + text + " of " + describe(index) + " has no value" + remedy);
  }
  return shape;
}

llvm::Error ArgumentMaker::readValids() {
  for (StringRef text : options.valids) {
    auto [name, list] = text.rsplit('=');
    std::optional<unsigned> index = findParameter(name);
    auto tensor = index ? getParameter(*index).getTensor() : pl::TensorType();
    if (!tensor || !hasDynamicValid(tensor))
      return makeError("--valid=" + text + " names no parameter with an open valid shape");
    SmallVector<StringRef> numbers;
    list.split(numbers, ',', -1, /*KeepEmpty=*/false);
    SmallVector<int64_t> &valid = values[*index].valid;
    if (static_cast<int64_t>(numbers.size()) != tensor.getRank())
      return makeError("--valid=" + text + " expects " + std::to_string(tensor.getRank()) +
                       " sizes");
    for (auto [axis, number] : llvm::enumerate(numbers))
      if (number.getAsInteger(10, valid[axis]) || valid[axis] < 0 ||
          valid[axis] > values[*index].array->getShape()[axis])
        return makeError("--valid=" + text + " expects sizes within shape " +
                         formatShape(values[*index].array->getShape()));
  }
  return llvm::Error::success();
}

llvm::Error ArgumentMaker::setValid() {
  for (auto [index, parameter] : llvm::enumerate(signature.parameters)) {
    pl::TensorType tensor = parameter.getTensor();
    if (!tensor || tensor.getValid().empty())
      continue;
    ArrayRef<int64_t> shape = values[index].array->getShape();
    for (auto [axis, extent] : llvm::enumerate(tensor.getValid())) {
      int64_t size = symbols.evaluate(extent).value_or(shape[axis]);
      if (size < 0 || size > shape[axis])
        return makeError(describe(index) + " has valid extent " + std::to_string(size) +
                         " in dimension " + std::to_string(axis) + ", but its shape is " +
                         formatShape(shape));
      values[index].valid.push_back(size);
    }
  }
  return readValids();
}

//===- Inputs -----------------------------------------------------------------===//

llvm::Error ArgumentMaker::readTensor(unsigned index, StringRef path, ArrayRef<unsigned> inputs) {
  auto tensor = getParameter(index).getTensor();
  if (path.starts_with("@")) {
    unsigned other;
    if (path.drop_front().getAsInteger(10, other) || other >= inputs.size() ||
        inputs[other] >= index || !getParameter(inputs[other]).getTensor() ||
        !values[inputs[other]].array)
      return makeError(describe(index) + ": '" + path + "' names no tensor before it");
    if (getParameter(inputs[other]).getTensor().getElementType() != tensor.getElementType())
      return makeError(describe(index) + ": '" + path + "' has another element type");
    if (signature.noAlias)
      return makeError("'" + signature.name + "' expects arguments that do not alias, but " +
                       describe(index) + " is given the storage of " + describe(inputs[other]));
    values[index].array = values[inputs[other]].array;
    return symbols.bindShape(tensor, values[index].array->getShape(), describe(index));
  }
  llvm::Expected<Array> array = readNpy(path);
  if (!array)
    return makeError(describe(index) + ": " + llvm::toString(array.takeError()));
  if (llvm::Error error = importElements(tensor.getElementType(), *array))
    return makeError(describe(index) + ": '" + path + "' " + llvm::toString(std::move(error)));
  values[index].array = std::make_shared<Array>(std::move(*array));
  files.push_back({index, path.str()});
  return symbols.bindShape(tensor, values[index].array->getShape(), describe(index));
}

llvm::Error ArgumentMaker::readInput(unsigned index, StringRef text, ArrayRef<unsigned> inputs) {
  if (text == "*") {
    if (options.seed)
      return llvm::Error::success();
    return makeError(describe(index) + ": '*' needs --random");
  }
  if (getParameter(index).getTensor())
    return readTensor(index, text, inputs);
  llvm::Expected<Array> scalar = parseScalar(getParameter(index).type, text);
  if (!scalar)
    return makeError(describe(index) + " " + llvm::toString(scalar.takeError()));
  if (llvm::Error error = importElements(getParameter(index).type, *scalar))
    return makeError(describe(index) + " " + llvm::toString(std::move(error)));
  values[index].array = std::make_shared<Array>(std::move(*scalar));
  return llvm::Error::success();
}

llvm::Error ArgumentMaker::readInputs() {
  SmallVector<unsigned> inputs;
  std::string names;
  for (auto [index, parameter] : llvm::enumerate(signature.parameters)) {
    if (parameter.isOut())
      continue;
    inputs.push_back(index);
    names += (names.empty() ? "" : ", ") + parameter.name;
  }
  size_t numGiven = options.arguments.size();
  if (numGiven > inputs.size() || (numGiven < inputs.size() && !options.seed))
    return makeError("'" + signature.name + "' expects " + std::to_string(inputs.size()) +
                     " arguments (" + names + "), but got " + std::to_string(numGiven));
  for (auto [index, text] : llvm::zip(inputs, options.arguments))
    if (llvm::Error error = readInput(index, text, inputs))
      return error;
  return llvm::Error::success();
}

llvm::Error ArgumentMaker::checkNoAlias() {
  if (!signature.noAlias)
    return llvm::Error::success();
  for (size_t i = 0; i < files.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (llvm::sys::fs::equivalent(files[i].second, files[j].second))
        return makeError("'" + signature.name + "' expects arguments that do not alias, but " +
                         describe(files[i].first) + " and " + describe(files[j].first) +
                         " are given the same file '" + files[i].second + "'");
  return llvm::Error::success();
}

//===- What is not given --------------------------------------------------------===//

llvm::Error ArgumentMaker::makeMissing() {
  for (auto [index, parameter] : llvm::enumerate(signature.parameters)) {
    if (values[index].array)
      continue;
    pl::TensorType tensor = parameter.getTensor();
    Type element = tensor ? tensor.getElementType() : parameter.type;
    SmallVector<int64_t> shape;
    if (tensor) {
      llvm::Expected<SmallVector<int64_t>> computed = getShape(index);
      if (!computed)
        return computed.takeError();
      shape = std::move(*computed);
    }
    llvm::Expected<Array> array = Array::create(*getDType(element), shape);
    if (!array)
      return makeError(describe(index) + ": " + llvm::toString(array.takeError()));
    if (!parameter.isOut())
      fillRandom(element, *array, *options.seed * 0x9e3779b97f4a7c15 + index);
    values[index].array = std::make_shared<Array>(std::move(*array));
  }
  return llvm::Error::success();
}

llvm::Expected<SmallVector<HostValue>> ArgumentMaker::run() {
  if (llvm::Error error = readDims())
    return std::move(error);
  if (llvm::Error error = readInputs())
    return std::move(error);
  if (llvm::Error error = checkNoAlias())
    return std::move(error);
  if (options.seed)
    if (llvm::Error error = bindDefaults())
      return std::move(error);
  if (llvm::Error error = makeMissing())
    return std::move(error);
  for (auto [index, parameter] : llvm::enumerate(signature.parameters))
    if (pl::TensorType tensor = parameter.getTensor())
      if (llvm::Error error =
              symbols.checkShape(tensor, values[index].array->getShape(), describe(index)))
        return std::move(error);
  if (llvm::Error error = setValid())
    return std::move(error);
  return std::move(values);
}

llvm::Expected<SmallVector<HostValue>> pypto::execution::makeArguments(const Signature &signature,
                                                                       const RunOptions &options) {
  return ArgumentMaker(signature, options).run();
}
