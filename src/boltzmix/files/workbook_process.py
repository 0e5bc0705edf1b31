"""Read a sheet of a workbook in a process of its own, whose memory is limited.

Two cells that are a million rows apart fit into a small file, and the reader asks for the memory of
all cells between them. If there is none, the process ends, and not the one that started it.

This is a script, which imports nothing of boltzmix. Its arguments are the bytes of memory that it
may take, and the name of the sheet (the first, if absent); the workbook comes by standard input. It
writes a line of JSON with the names of the sheets, or an error, and then the cells as text.
"""

import json
import sys
from io import BytesIO
from pathlib import Path

import fastexcel
import polars  # noqa: F401 - before memory is limited


def limit_memory(most: int) -> None:
    """Let this process take so many bytes more than it has, on Linux."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (ImportError, OSError):
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    size = pages * resource.getpagesize() + most
    if hard == resource.RLIM_INFINITY or size < hard:
        resource.setrlimit(resource.RLIMIT_AS, (size, hard))


def read(data: bytes, wanted: str | None) -> tuple[dict[str, object], bytes]:
    """Return the names of the sheets, or an error, and the cells of one in Arrow's format."""
    try:
        book = fastexcel.read_excel(data)
        sheets, cells = book.sheet_names, BytesIO()
        chosen = wanted if wanted is not None or not sheets else sheets[0]
        if chosen in sheets:
            sheet = book.load_sheet(chosen, header_row=None, skip_rows=0, dtypes="string")
            sheet.to_polars().write_ipc(cells)
    except fastexcel.FastExcelError as error:
        return {"error": str(error)}, b""
    return {"sheets": sheets}, cells.getvalue()


def main() -> None:
    """Read a workbook from standard input, and write a sheet to standard output."""
    data = sys.stdin.buffer.read()
    limit_memory(int(sys.argv[1]))
    head, cells = read(data, sys.argv[2] if len(sys.argv) > 2 else None)
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\n" + cells)


if __name__ == "__main__":
    main()
