//===- Checkpoint.cuh - Models in files -----------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Saves and loads the tensors of a model as https://github.com/huggingface/
// safetensors describes: the length of a header, the header in JSON, then the
// data. A file is written beside its place and renamed; one that is read is
// checked as a whole before anything is copied to the device.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_CUDA_CHECKPOINT_CUH
#define ACCRUE_RUNTIME_CUDA_CHECKPOINT_CUH

#include "runtime/cuda/Model.cuh"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace accrue {

inline int failFile(const std::string &path, const std::string &reason) {
  return fail((path + ": " + reason).c_str());
}
inline int failSystem(const std::string &path) {
  return failFile(path, std::strerror(errno));
}

/// The name of a tensor in files; empty where it is not stored.
template <class Tensor>
std::string getFileName(const Tensor &tensor) {
  const std::string name = tensor.name;
  if (isSame(tensor.arena, "params"))
    return name;
  if (isSame(tensor.arena, "slots"))
    return "optimizer/" + name + "/" + tensor.slot;
  return isSame(tensor.arena, "state") ? "state/" + name : "";
}

/// The name of element type `type` in files: "f32" is F32, "i1" is BOOL.
inline std::string getFileType(std::string type) {
  for (char &c : type)
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return type == "I1" ? "BOOL" : type;
}

template <class Tensor>
std::string formatShape(const Tensor &tensor) {
  std::string text = "[";
  for (int i = 0; i < tensor.rank; ++i)
    text += (i > 0 ? "," : "") + std::to_string(tensor.shape[i]);
  return text + "]";
}

/// `text` as a JSON string.
inline std::string quote(const std::string &text) {
  std::string quoted = "\"";
  for (const char c : text) {
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, "\\u%04x", c);
    if (c == '"' || c == '\\')
      (quoted += '\\') += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      quoted += escaped;
    else
      quoted += c;
  }
  return quoted + "\"";
}

//===----------------------------------------------------------------------===//
// Saving
//===----------------------------------------------------------------------===//

/// A file that takes the place of `path` when it is complete.
class NewFile {
public:
  explicit NewFile(const std::string &path)
      : path(path), temporary(path + ".XXXXXX") {}
  NewFile(const NewFile &) = delete;
  NewFile &operator=(const NewFile &) = delete;
  ~NewFile() {
    if (descriptor >= 0)
      close(descriptor);
    if (exists)
      unlink(temporary.c_str());
  }

  int open() {
    descriptor = mkstemp(&temporary[0]);
    exists = descriptor >= 0;
    return exists && fchmod(descriptor, 0644) == 0 ? 0 : failSystem(path);
  }

  int write(const char *data, size_t bytes) {
    while (bytes > 0) {
      const ssize_t written = ::write(descriptor, data, bytes);
      if (written < 0 && errno != EINTR)
        return failSystem(path);
      data += std::max<ssize_t>(written, 0);
      bytes -= static_cast<size_t>(std::max<ssize_t>(written, 0));
    }
    return 0;
  }

  /// The contents are on the disk before the name is, and the name afterwards.
  int commit() {
    if (fsync(descriptor) != 0 || rename(temporary.c_str(), path.c_str()) != 0)
      return failSystem(path);
    exists = false;
    const size_t slash = path.rfind('/');
    const std::string folder =
        slash == std::string::npos ? "." : path.substr(0, slash + 1);
    const int directory = ::open(folder.c_str(), O_RDONLY);
    if (directory >= 0) {
      fsync(directory);
      close(directory);
    }
    return 0;
  }

private:
  std::string path, temporary;
  int descriptor = -1;
  bool exists = false;
};

/// What a file says of its model.
struct FileInfo {
  const char *version;
  const char *model;
  long long batch;
};

template <class Model, class Tensor, size_t N>
int writeModel(Model *model, const Tensor (&tensors)[N],
               void *(*address)(const Model *, const Tensor *),
               const std::string &path, const FileInfo &info) {
  int64_t step = 0;
  // The seed, and the batches that were tried, where random numbers need it.
  int64_t key[2] = {0, -1};
  size_t end = 0, largest = 0;
  std::string list;
  for (const Tensor &tensor : tensors) {
    const std::string name = getFileName(tensor);
    if (name.empty())
      continue;
    if (name == "state/step")
      ACCRUE_CHECK(
          copy(&step, address(model, &tensor), sizeof step, model->stream));
    if (name == "state/random_key")
      ACCRUE_CHECK(
          copy(key, address(model, &tensor), sizeof key, model->stream));
    list += "," + quote(name) + ":{\"dtype\":\"" + getFileType(tensor.type) +
            "\",\"shape\":" + formatShape(tensor) + ",\"data_offsets\":[" +
            std::to_string(end) + "," + std::to_string(end + tensor.bytes) +
            "]}";
    end += tensor.bytes;
    largest = std::max(largest, tensor.bytes);
  }
  std::string header =
      "{\"__metadata__\":{\"format\":\"accrue\",\"accrue.version\":" +
      quote(info.version) + ",\"accrue.model\":" + quote(info.model) +
      ",\"accrue.step\":\"" + std::to_string(step) +
      "\",\"accrue.batch_index\":\"" +
      std::to_string(key[1] < 0 ? step : key[1]) + "\",\"accrue.batch\":\"" +
      std::to_string(info.batch) + "\"}" + list + "}";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  char length[8];
  for (int i = 0; i < 8; ++i)
    length[i] = static_cast<char>(header.size() >> (8 * i));

  NewFile file(path);
  ACCRUE_CHECK(file.open());
  ACCRUE_CHECK(file.write(length, sizeof length));
  ACCRUE_CHECK(file.write(header.data(), header.size()));
  std::vector<char> data(largest);
  for (const Tensor &tensor : tensors) {
    if (getFileName(tensor).empty())
      continue;
    ACCRUE_CHECK(copy(data.data(), address(model, &tensor), tensor.bytes,
                      model->stream));
    ACCRUE_CHECK(file.write(data.data(), tensor.bytes));
  }
  return file.commit();
}

/// Saves parameters, slots and state of `model`, all or nothing.
template <class Model, class Tensor, size_t N>
int save(Model *model, const Tensor (&tensors)[N],
         void *(*address)(const Model *, const Tensor *), const char *path,
         const FileInfo &info) {
  ACCRUE_CHECK(expect(model, "a model"));
  ACCRUE_CHECK(expect(path, "a path"));
  try {
    return writeModel(model, tensors, address, path, info);
  } catch (const std::bad_alloc &) {
    return fail("out of host memory");
  }
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// A tensor of a file: bytes [begin, end) of its data.
struct StoredTensor {
  std::string name, type, shape;
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// Reads the JSON of a header: an object of tensors.
class HeaderReader {
public:
  HeaderReader(const char *text, size_t bytes) : at(text), end(text + bytes) {}

  /// Returns false where the header is malformed.
  bool read(std::vector<StoredTensor> &tensors) {
    return readObject([&](const std::string &name) {
             if (name == "__metadata__")
               return readObject([&](const std::string &) {
                 std::string text;
                 return readString(text);
               });
             StoredTensor tensor;
             tensor.name = name;
             tensors.push_back(tensor);
             return readTensor(tensors.back());
           }) &&
           next() == '\0';
  }

private:
  /// The next character that is no space, or 0 at the end.
  char next() {
    while (at != end &&
           (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r'))
      ++at;
    return at == end ? '\0' : *at;
  }
  bool take(char c) {
    if (next() != c || at == end)
      return false;
    ++at;
    return true;
  }

  template <class Read>
  bool readObject(Read readValue) {
    if (!take('{'))
      return false;
    if (take('}'))
      return true;
    do {
      std::string key;
      if (!readString(key) || !take(':') || !readValue(key))
        return false;
    } while (take(','));
    return take('}');
  }

  bool readTensor(StoredTensor &tensor) {
    std::vector<uint64_t> shape, offsets;
    bool ok = readObject([&](const std::string &key) {
      return key == "dtype"          ? readString(tensor.type)
             : key == "shape"        ? readNumbers(shape)
             : key == "data_offsets" ? readNumbers(offsets)
                                     : false;
    });
    if (!ok || tensor.type.empty() || offsets.size() != 2 ||
        offsets[0] > offsets[1])
      return false;
    for (const uint64_t size : shape)
      tensor.shape += (tensor.shape.empty() ? "" : ",") + std::to_string(size);
    tensor.shape = "[" + tensor.shape + "]";
    tensor.begin = offsets[0];
    tensor.end = offsets[1];
    return true;
  }

  bool readNumbers(std::vector<uint64_t> &numbers) {
    if (!take('['))
      return false;
    if (take(']'))
      return true;
    do {
      uint64_t number = 0;
      if (next() < '0' || *at > '9')
        return false;
      for (; at != end && *at >= '0' && *at <= '9'; ++at) {
        if (number > (UINT64_MAX - 9) / 10)
          return false;
        number = number * 10 + static_cast<uint64_t>(*at - '0');
      }
      numbers.push_back(number);
    } while (take(','));
    return take(']');
  }

  /// The four digits behind `\u`.
  bool readHex(unsigned &code) {
    if (end - at < 4)
      return false;
    char digits[5] = {at[0], at[1], at[2], at[3]};
    char *rest = nullptr;
    code = static_cast<unsigned>(std::strtoul(digits, &rest, 16));
    at += 4;
    return rest == digits + 4 && digits[0] != '+' && digits[0] != '-';
  }

  static void appendUTF8(std::string &text, unsigned code) {
    const int extra = code < 0x80      ? 0
                      : code < 0x800   ? 1
                      : code < 0x10000 ? 2
                                       : 3;
    static const unsigned lead[] = {0, 0xc0, 0xe0, 0xf0};
    text += static_cast<char>(lead[extra] | code >> (6 * extra));
    for (int i = extra - 1; i >= 0; --i)
      text += static_cast<char>(0x80 | (code >> (6 * i) & 0x3f));
  }

  bool readString(std::string &text) {
    if (!take('"'))
      return false;
    while (at != end && *at != '"') {
      if (*at != '\\') {
        text += *at++;
        continue;
      }
      if (++at == end)
        return false;
      static const char names[] = "\"\\/bfnrt";
      static const char values[] = "\"\\/\b\f\n\r\t";
      const char c = *at++;
      if (c == 'u') {
        unsigned code = 0, low = 0;
        if (!readHex(code))
          return false;
        if (code >= 0xd800 && code < 0xdc00) {
          if (end - at < 2 || at[0] != '\\' || at[1] != 'u')
            return false;
          at += 2;
          if (!readHex(low) || low < 0xdc00 || low > 0xdfff)
            return false;
          code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        }
        appendUTF8(text, code);
        continue;
      }
      const char *found = c ? std::strchr(names, c) : nullptr;
      if (!found)
        return false;
      text += values[found - names];
    }
    return take('"');
  }

  const char *at, *end;
};

/// The whole file.
inline int readFile(const std::string &path, std::vector<char> &contents) {
  const int descriptor = ::open(path.c_str(), O_RDONLY);
  if (descriptor < 0)
    return failSystem(path);
  struct stat info = {};
  int status = fstat(descriptor, &info) == 0 ? 0 : failSystem(path);
  if (status == 0 && !S_ISREG(info.st_mode))
    status = failFile(path, "expected a file");
  size_t done = 0;
  if (status == 0)
    contents.resize(static_cast<size_t>(info.st_size));
  while (status == 0 && done < contents.size()) {
    const ssize_t count =
        ::read(descriptor, &contents[done], contents.size() - done);
    if (count > 0)
      done += static_cast<size_t>(count);
    else if (count == 0 || errno != EINTR)
      status = count == 0 ? failFile(path, "truncated") : failSystem(path);
  }
  close(descriptor);
  return status;
}

/// Reads the header of `contents`. The data begins at `start`, and every byte
/// of it belongs to one tensor.
inline int readHeader(const std::string &path,
                      const std::vector<char> &contents,
                      std::vector<StoredTensor> &stored, size_t &start) {
  uint64_t length = 0;
  if (contents.size() < 10)
    return failFile(path, "expected a safetensors file");
  for (int i = 7; i >= 0; --i)
    length = length << 8 | static_cast<unsigned char>(contents[i]);
  if (length > 100000000 || contents[8] != '{')
    return failFile(path, "expected a safetensors file");
  if (length > contents.size() - 8)
    return failFile(path, "truncated: expected a header of " +
                              std::to_string(length) + " bytes");
  if (!HeaderReader(&contents[8], length).read(stored))
    return failFile(path, "malformed safetensors header");
  start = 8 + length;
  std::sort(stored.begin(), stored.end(),
            [](const StoredTensor &a, const StoredTensor &b) {
              return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
            });
  uint64_t end = 0;
  std::vector<std::string> names;
  for (const StoredTensor &tensor : stored) {
    if (tensor.begin != end)
      return failFile(path, "tensor '" + tensor.name +
                                "' does not begin where the one before ends");
    end = tensor.end;
    names.push_back(tensor.name);
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    return failFile(path, "'" + *twice + "' is in the header twice");
  if (end != contents.size() - start)
    return failFile(path, "expected " + std::to_string(end) +
                              " bytes of data, got " +
                              std::to_string(contents.size() - start));
  return 0;
}

template <class Model, class Tensor, size_t N>
int readModel(Model *model, const Tensor (&tensors)[N],
              void *(*address)(const Model *, const Tensor *),
              const std::string &path) {
  std::vector<char> contents;
  std::vector<StoredTensor> stored;
  size_t start = 0;
  ACCRUE_CHECK(readFile(path, contents));
  ACCRUE_CHECK(readHeader(path, contents, stored, start));
  // A file of parameters alone leaves the rest as it is.
  bool hasState = false;
  for (const StoredTensor &entry : stored) {
    const Tensor *known = nullptr;
    for (const Tensor &tensor : tensors)
      if (getFileName(tensor) == entry.name && !entry.name.empty())
        known = &tensor;
    if (!known)
      return failFile(path, "the model has no tensor '" + entry.name + "'");
    hasState = hasState || !isSame(known->arena, "params");
    if (getFileType(known->type) != entry.type ||
        formatShape(*known) != entry.shape ||
        known->bytes != entry.end - entry.begin)
      return failFile(path, "expected '" + entry.name + "' of " +
                                getFileType(known->type) + " " +
                                formatShape(*known) + ", got " + entry.type +
                                " " + entry.shape);
  }
  std::vector<const StoredTensor *> found(N);
  for (size_t i = 0; i < N; ++i) {
    const std::string name = getFileName(tensors[i]);
    if (name.empty() || (!hasState && !isSame(tensors[i].arena, "params")))
      continue;
    for (const StoredTensor &entry : stored)
      if (entry.name == name)
        found[i] = &entry;
    if (!found[i])
      return failFile(path, "expected a tensor '" + name +
                                "', as the model has; got none");
  }
  for (size_t i = 0; i < N; ++i)
    if (found[i])
      ACCRUE_CHECK(copy(address(model, &tensors[i]),
                        contents.data() + start + found[i]->begin,
                        tensors[i].bytes, model->stream));
  return 0;
}

/// Loads what save() and others have written, all or nothing.
template <class Model, class Tensor, size_t N>
int load(Model *model, const Tensor (&tensors)[N],
         void *(*address)(const Model *, const Tensor *), const char *path) {
  ACCRUE_CHECK(expect(model, "a model"));
  ACCRUE_CHECK(expect(path, "a path"));
  try {
    return readModel(model, tensors, address, path);
  } catch (const std::bad_alloc &) {
    return fail("out of host memory");
  }
}

} // namespace accrue

#endif // ACCRUE_RUNTIME_CUDA_CHECKPOINT_CUH
