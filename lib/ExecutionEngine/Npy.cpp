// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `.npy` format, by xtensor. It throws, and trusts what it reads in three places that are
// checked here before it is called: the length of the header, the presence of a shape, the amount
// of data.
#include "pypto/ExecutionEngine/Array.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <cstring>
#include <exception>
#include <sstream>

#include <xtensor/xnpy.hpp>

using namespace pypto::execution;

namespace {
struct Header {
  DType dtype;
  bool bigEndian = false;
  bool fortranOrder = false;
  llvm::SmallVector<int64_t> shape;
  /// Where the data begins.
  size_t size = 0;
};
} // namespace

/// Longer than any header of an array: 32 extents of 20 digits.
static constexpr size_t kMaxHeaderSize = 4096;

/// The text of the header, whose end is `headerEnd`.
static llvm::Expected<llvm::StringRef> getHeaderText(llvm::StringRef file, size_t &headerEnd) {
  constexpr size_t prefix = xt::detail::magic_string_length;
  llvm::StringRef magic(xt::detail::magic_string, prefix);
  if (!file.starts_with(magic) || file.size() < prefix + 4)
    return makeError("it does not begin as a .npy file does");
  unsigned major = static_cast<unsigned char>(file[prefix]);
  if (major != 1 && major != 2)
    return makeError("version " + std::to_string(major) + " of the format is not supported");
  size_t begin = prefix + (major == 1 ? 4 : 6);
  if (file.size() < begin)
    return makeError("it ends inside its header");
  const char *length = file.data() + prefix + 2;
  size_t size = major == 1 ? llvm::support::endian::read16le(length)
                           : llvm::support::endian::read32le(length);
  if (size > kMaxHeaderSize)
    return makeError("its header is longer than " + std::to_string(kMaxHeaderSize) + " bytes");
  if (file.size() < begin + size)
    return makeError("it ends inside its header");
  headerEnd = begin + size;
  return file.substr(begin, size);
}

static llvm::Expected<Header> parseHeader(llvm::StringRef file) {
  Header header;
  llvm::Expected<llvm::StringRef> text = getHeaderText(file, header.size);
  if (!text)
    return text.takeError();
  std::string stripped = text->str();
  stripped.erase(std::remove(stripped.begin(), stripped.end(), ' '), stripped.end());
  if (!llvm::StringRef(stripped).contains("'shape':("))
    return makeError("its header has no shape");
  std::string descr;
  std::vector<std::size_t> shape;
  try {
    xt::detail::parse_header(text->str(), descr, &header.fortranOrder, shape);
  } catch (const std::exception &error) {
    return makeError(error.what());
  }
  header.bigEndian = descr[0] == '>';
  header.dtype.kind = descr[1];
  if (llvm::StringRef(descr).drop_front(2).getAsInteger(10, header.dtype.size) ||
      header.dtype.size == 0 || header.dtype.size > 64)
    return makeError("dtype '" + descr + "' is not supported");
  header.shape.assign(shape.begin(), shape.end());
  return header;
}

/// Copies from column-major to row-major order.
static void copyFortranOrder(const char *from, Array &to) {
  llvm::ArrayRef<int64_t> shape = to.getShape();
  unsigned size = to.getDType().size;
  llvm::SmallVector<int64_t> index(shape.size(), 0), strides(shape.size(), 1);
  for (size_t i = 1; i < shape.size(); ++i)
    strides[i] = strides[i - 1] * shape[i - 1];
  for (int64_t n = 0, e = to.getNumElements(); n != e; ++n) {
    int64_t offset = 0;
    for (size_t i = 0; i < shape.size(); ++i)
      offset += index[i] * strides[i];
    std::memcpy(to.element(n), from + offset * size, size);
    for (size_t i = shape.size(); i-- > 0 && ++index[i] == shape[i];)
      index[i] = 0;
  }
}

static llvm::Expected<Array> parseNpy(llvm::StringRef file) {
  llvm::Expected<Header> header = parseHeader(file);
  if (!header)
    return header.takeError();
  llvm::StringRef data = file.drop_front(header->size);
  std::optional<int64_t> count = countElements(header->shape);
  if (!count || data.size() / header->dtype.size < static_cast<uint64_t>(*count))
    return makeError("its header promises shape " + formatShape(header->shape) + " of " +
                     header->dtype.str() + ", but it has " + std::to_string(data.size()) +
                     " bytes of data");
  llvm::Expected<Array> array = Array::create(header->dtype, header->shape);
  if (!array)
    return array.takeError();
  if (header->fortranOrder)
    copyFortranOrder(data.data(), *array);
  else
    std::memcpy(array->data(), data.data(), array->getNumBytes());
  unsigned word = header->dtype.kind == 'c' ? header->dtype.size / 2 : header->dtype.size;
  if (header->bigEndian && word > 1)
    for (char *p = array->data(), *e = p + array->getNumBytes(); p != e; p += word)
      std::reverse(p, p + word);
  return array;
}

llvm::Expected<Array> pypto::execution::readNpy(llvm::StringRef path) {
  auto buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError("cannot open '" + path + "': " + buffer.getError().message());
  llvm::Expected<Array> array = parseNpy((*buffer)->getBuffer());
  if (!array)
    return makeError("'" + path +
                     "' is not a usable .npy file: " + llvm::toString(array.takeError()));
  return array;
}

void pypto::execution::writeNpy(llvm::raw_ostream &os, const Array &array) {
  std::ostringstream stream;
  DType dtype = array.getDType();
  std::string descr =
      (dtype.size == 1 ? "|" : "<") + std::string(1, dtype.kind) + std::to_string(dtype.size);
  std::vector<size_t> shape(array.getShape().begin(), array.getShape().end());
  xt::detail::write_header(stream, descr, /*fortran_order=*/false, shape);
  os << std::move(stream).str();
  os.write(array.data(), array.getNumBytes());
}
