"""PoCL 3.1 for tests, with those of its built-in functions that a source here names: `small_pocl.py FOLDER`.

Each process that compiles reads all of PoCL's 23 000 functions first, 9 MB of bitcode and of their declarations 0.9 MB,
two thirds of the CPU time of compiling a kernel. FOLDER gets links to the installed PoCL and, beside them, the smaller
libraries, because PoCL looks for these at ../../share/pocl; `vendors` in it is the value for OCL_ICD_VENDORS. Prints
the path of
these; nothing where no PoCL 3.1 is installed. A function or vector whose name a kernel puts together from parts is
missing: "undefined symbol"."""
import ctypes
import pathlib
import re
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
sources = pathlib.Path(__file__).parent.parent
vendors = {file: pathlib.Path(file.read_text().strip()) for file in pathlib.Path("/etc/OpenCL/vendors").glob("*.icd")}


def without_digits(name):
    return name.rstrip("0123456789")  # vload4 may be vload and 4


def installed(library):
    found = [library] if library.is_absolute() else sorted(pathlib.Path("/usr/lib").glob(f"*/{library}"))
    return next((path for path in found if path.resolve().name.startswith("libpocl.so.2.10.")), None)


def is_named(declaration):
    """One of a function, whose vectors are named too."""
    vectors = re.findall(r"\b(?:u?(?:char|short|int|long)|half|float|double)\d+\b", declaration[0])
    return without_digits(declaration[1]) in names and words.issuperset(vectors)


def make_shorter(header):
    """Without functions that are not named, comments, and empty conditions."""
    text = header.read_text()
    header.unlink()
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
    for one in (r"^\w[\w ]*?__ovld [\w ]*?\b(\w+)\([^;#]*\)[^;#]*;\n", r"^#define (\w+) +_cl_\w+\n"):
        text = re.sub(one, lambda found: found[0] if is_named(found) else "", text, flags=re.MULTILINE)
    text, count = re.sub(r"\n\s+", "\n", text), 1
    while count:
        text, count = re.subn(r"^#if[^\n]*\n#endif[^\n]*\n", "", text, flags=re.MULTILINE)
    header.write_text(text)


def make_smaller(llvm, library, smaller, names):
    """Functions that are not named become internal, and those of them that no other calls go."""
    pointer = ctypes.c_void_p
    for function in ("LLVMContextCreate", "LLVMGetFirstFunction", "LLVMGetNextFunction", "LLVMCreatePassBuilderOptions",
                     "LLVMRunPasses"):
        getattr(llvm, function).restype = pointer
    llvm.LLVMGetValueName.restype = ctypes.c_char_p
    buffer, message, module = pointer(), ctypes.c_char_p(), pointer()
    failed = llvm.LLVMCreateMemoryBufferWithContentsOfFile(str(library).encode(), ctypes.byref(buffer),
                                                           ctypes.byref(message))
    if failed or llvm.LLVMParseBitcodeInContext2(pointer(llvm.LLVMContextCreate()), buffer, ctypes.byref(module)):
        sys.exit(f"{library}: cannot be read")
    function = llvm.LLVMGetFirstFunction(module)
    while function:
        symbol = llvm.LLVMGetValueName(pointer(function)).decode()
        mangled = re.match(r"_Z(\d+)(.*)", symbol)
        name = mangled[2][:int(mangled[1])].removeprefix("_cl_") if mangled else ""
        if without_digits(name) not in names if mangled else symbol.startswith("Sleef_"):
            if not llvm.LLVMIsDeclaration(pointer(function)):
                llvm.LLVMSetLinkage(pointer(function), 8)  # LLVMInternalLinkage
        function = llvm.LLVMGetNextFunction(pointer(function))
    if llvm.LLVMRunPasses(module, b"globaldce", None, pointer(llvm.LLVMCreatePassBuilderOptions())):
        sys.exit(f"{library}: functions that nothing calls cannot be removed")
    llvm.LLVMStripModuleDebugInfo(module)
    if llvm.LLVMWriteBitcodeToFile(module, str(smaller).encode()):
        sys.exit(f"{smaller}: cannot be written")


pocl = next(filter(None, map(installed, vendors.values())), None)
if not pocl:
    sys.exit()
words = set()
for path in sources.rglob("*.[ch]*"):
    if path.suffix in (".cl", ".h", ".hpp", ".cpp") and not path.relative_to(sources).parts[0].startswith("build"):
        text = path.read_text(errors="replace")
        if path.suffix in (".cl", ".h") or "kernel void" in text:  # kernels, also as text
            words.update(re.findall(r"[a-z]\w*", re.sub("//.*", "", text)))
names = {without_digits(word) for word in words}

links, share, kept = folder / "lib" / "of_tests", folder / "share" / "pocl", folder / "names"
text = "\n".join(sorted(words))
if not kept.exists() or kept.read_text() != text:
    for made in (links, share, folder / "vendors"):
        made.mkdir(parents=True, exist_ok=True)
    linked = subprocess.run(["ldd", pocl], stdout=subprocess.PIPE, text=True, check=True).stdout
    llvm = ctypes.CDLL(re.search(r"(\S*libLLVM\S*) =>", linked)[1])
    shared = (pocl.parents[1] / "../share/pocl").resolve()
    headers = share / "include"
    if headers.is_symlink():
        headers.unlink()
    headers.mkdir(exist_ok=True)
    for link, target in ((links / pocl.name, pocl), (links / "pocl", pocl.parent / "pocl"),
                         *((share / file.name, file) for file in shared.iterdir() if file.name != headers.name),
                         *((headers / file.name, file) for file in (shared / headers.name).iterdir())):
        link.unlink(missing_ok=True)
        link.symlink_to(target)
    for name in ("opencl-c.h", "_builtin_renames.h"):
        make_shorter(headers / name)
    # That of processors such as this one.
    flags = pathlib.Path("/proc/cpuinfo").read_text().split()
    for library in share.glob(f"kernel-*-{'avx512' if 'avx512f' in flags else 'avx2'}.bc"):
        full = library.resolve()
        library.unlink()
        make_smaller(llvm, full, library, names)
    for file, library in vendors.items():
        (folder / "vendors" / file.name).write_text(f"{links / pocl.name if installed(library) else library}\n")
    kept.write_text(text)
print(folder / "vendors")
