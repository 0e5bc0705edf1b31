"""Tables as people have them: the content of a file, and what must be read from it."""

import bz2
import gzip
import lzma
from typing import Any, NamedTuple

XY = {"x": [1.5, 2.25, 3.0], "y": [10, 20, 30]}
PLAIN = "x,y\n1.5,10\n2.25,20\n3,30\n"
GERMAN = "x;y\n1,5;10\n2,25;20\n3;30\n"
SIZE = {"größe": [1.5, 2.5], "y": [1, 2]}
SIZES = "größe,y\n1.5,1\n2.5,2\n"


class Reads(NamedTuple):
    """A file that is read: its content, the columns that are clustered, and words of a note."""

    content: str | bytes
    columns: dict[str, list[Any]]
    note: str | None = None
    written: dict[str, Any] = {}  # noqa: RUF012 (never changed)
    options: dict[str, Any] = {}  # noqa: RUF012


class Fails(NamedTuple):
    """A file that cannot be read as it is: its content, and words of the sentence that says so."""

    content: str | bytes
    sentence: str
    written: dict[str, Any] = {}  # noqa: RUF012
    options: dict[str, Any] = {}  # noqa: RUF012


READ = {
    "plain": Reads(PLAIN, XY),
    "semicolons and decimal commas": Reads(GERMAN, XY, "decimal commas were read in column 'x'"),
    "tabs": Reads(PLAIN.replace(",", "\t"), XY, "read with tabs between the cells"),
    "pipes": Reads(PLAIN.replace(",", "|"), XY, "read with pipes"),
    "colons, as set": Reads(PLAIN.replace(",", ":"), XY, written={"separator": ":"}),
    "tabs, as set by name": Reads(PLAIN.replace(",", "\t"), XY, written={"separator": "tab"}),
    "fixed width": Reads("   x     y\n 1.5    10\n2.25    20\n   3    30\n", XY, "with blanks"),
    "decimal commas between blanks": Reads("x y\n1,5 10\n2,25 20\n3 30\n", XY, "with blanks"),
    "decimal commas in quotes": Reads('x,y\n"1,5",10\n"2,25",20\n3,30\n', XY, "decimal commas"),
    "declared separator": Reads(f"sep=;\n{GERMAN}", XY),
    "thousands with points": Reads(
        "x;y\n1.234,5;1.000\n-12.345,25;2\n7;3\n",
        {"x": [1234.5, -12345.25, 7.0], "y": [1000, 2, 3]},
        "'1.234,5' in column 'x' was read as the number 1234.5",
    ),
    "thousands with commas": Reads(
        'x,y\n"1,234.5",1\n"12,345,678",2\n7,3\n',
        {"x": [1234.5, 12345678.0, 7.0], "y": [1, 2, 3]},
        "'1,234.5' in column 'x' was read as the number 1234.5",
    ),
    "whole thousands with commas": Reads(
        'x,y\n"1,234",1\n950,2\n', {"x": [1234, 950], "y": [1, 2]}, "was read as the number 1234"
    ),
    "thousands with blanks and apostrophes": Reads(
        "x;y\n1 234,5;1'000\n7,25;2\n", {"x": [1234.5, 7.25], "y": [1000, 2]}
    ),
    "points between thousands, as set": Reads(
        "x;y\n1.234;1\n950;2\n", {"x": [1234, 950], "y": [1, 2]}, written={"decimal": ","}
    ),
    "one column with decimal commas, as set": Reads(
        "x\n1,5\n2,5\n", {"x": [1.5, 2.5]}, written={"decimal": ","}
    ),
    "comments above and between": Reads(
        "# from the laboratory\n# of June, 2024\nx,y\n1.5,10\n# a bad day\n2.25,20\n3,30\n",
        XY,
        "lines that begin with # were left out as comments (1, the first is line 5)",
    ),
    "names in a comment": Reads("# x y\n1.5 10\n2.25 20\n3 30\n", XY),
    "first name with a hash": Reads("#x,y\n1.5,10\n2.25,20\n3,30\n", XY),
    "cells with hashes": Reads(
        "colour,x\n#ff0000,1\n#00ff00,2\n#0000ff,4\n", {"x": [1, 2, 4]}, "column 'colour' was left"
    ),
    "a title above the header": Reads(
        f"Results\n\n{PLAIN}", XY, "the first line was left out as a title above the table ('Res"
    ),
    "titles with separators": Reads(
        f"Results of June, 2024;\nall shops;\n{GERMAN}", XY, "the first 2 lines were left out as"
    ),
    "blank lines anywhere": Reads("\n\nx,y\n\n1.5,10\n \n2.25,20\n\t\n3,30\n\n\n", XY),
    "blank lines of one column": Reads("x\n1\n\n2\n\n", {"x": [1, 2]}),
    "rows of separators at the end": Reads(
        f"{GERMAN};\n;\n", XY, "at the end of the file were left out (2, the first is line 5)"
    ),
    "a row of separators between": Reads(
        "x,y\n1.5,1\n,\n2.5,2\n", {"x": [1.5, None, 2.5], "y": [1, None, 2]}
    ),
    "a separator at the end of lines": Reads("x,y\n1.5,10,\n2.25,20,\n3,30,\n", XY),
    "a separator at the end of the header too": Reads(
        "x,y,\n1.5,10,\n2.25,20,\n3,30,\n", XY, "'column_3' was left out, because it has no values"
    ),
    "names of rows without a name": Reads(
        "x y\nanna 1.5 10\nberta 2.25 20\nclara 3 30\n", XY, "one name fewer than"
    ),
    "row numbers": Reads(",x,y\n0,1.5,10\n1,2.25,20\n2,3,30\n", XY, "because it counts the rows"),
    "Windows lines": Reads(PLAIN.replace("\n", "\r\n"), XY),
    "old Macintosh lines": Reads(PLAIN.replace("\n", "\r"), XY),
    "no last line end": Reads(PLAIN.rstrip(), XY),
    "Latin-1": Reads(SIZES.encode("latin-1"), SIZE, "in the encoding cp1252"),
    "another code page, as set": Reads(
        "ціна,y\n1.5,1\n2.5,2\n".encode("cp1251"),
        {"ціна": [1.5, 2.5], "y": [1, 2]},
        written={"encoding": "cp1251"},
    ),
    "UTF-8 with a mark": Reads(SIZES.encode("utf-8-sig"), SIZE),
    "UTF-16 with a mark": Reads(SIZES.encode("utf-16"), SIZE),
    "UTF-16 without a mark": Reads(SIZES.encode("utf-16-be"), SIZE, "in the encoding utf-16-be"),
    "gzip": Reads(gzip.compress(PLAIN.encode()), XY),
    "bzip2": Reads(bz2.compress(PLAIN.encode()), XY),
    "xz": Reads(lzma.compress(PLAIN.encode()), XY),
    "quoted cells": Reads(
        'x,"y, or so",t\n1.5,"10","a, b"\n"2.25",20,"c ""d"""\n3,30,"two\nlines"\n',
        {"x": [1.5, 2.25, 3.0], "y, or so": [10, 20, 30]},
        "column 't' was left out, because it is not numeric ('a, b' in line 2)",
    ),
    "blanks around quotes": Reads('x, "y"\n1.5, "10" \n 2.25 , 20\n"3" , 30\n', XY),
    "inches": Reads('t,x\n5" nail,1\n6" nail,2\n', {"x": [1, 2]}),
    "duplicate names": Reads(
        "x,y,x\n1,2,3\n4,5,7\n", {"x": [1, 4], "y": [2, 5], "x_2": [3, 7]}, "are called x_2"
    ),
    "missing names": Reads(
        "x,,y\n1,2,3\n4,5,7\n", {"x": [1, 4], "column_2": [2, 5], "y": [3, 7]}, "called column_2"
    ),
    "no header": Reads(
        "1.5,10\n2.25,20\n3,30\n",
        {"column_1": [1.5, 2.25, 3.0], "column_2": [10, 20, 30]},
        "the first line was read as data",
    ),
    "no header, as set": Reads(
        "a,1\nb,2\nb,4\n", {"column_2": [1, 2, 4]}, written={"header": False}
    ),
    "years in the header, as set": Reads(
        "2019,2020\n1,2\n4,5\n", {"2019": [1, 4], "2020": [2, 5]}, written={"header": True}
    ),
    "years in the header": Reads(
        "country,2019,2020,2021\nx,1.5,2,3\ny,4,5,9\n",
        {"2019": [1.5, 4.0], "2020": [2, 5], "2021": [3, 9]},
    ),
    "text without a header": Reads(
        "a,c\nb,c\na,d\nb,d\na,c\nb,d\n",
        {"column_1": ["a", "b"] * 3, "column_2": list("ccddcd")},
        "the first line was read as data",
        options={"mixed": True},
    ),
    "spellings of missing values": Reads(
        "x,y\n1,NA\nn/a,2\n?,NaN\n4,#DIV/0!\n5,null\n6,3\n",
        {"x": [1, None, None, 4, 5, 6], "y": [None, 2, None, None, None, 3]},
    ),
    "spellings beside numbers": Reads(
        "x,y\n-,1\n2,missing\n3,4\n",
        {"x": [None, 2, 3], "y": [1, None, 4]},
        "'missing' in column 'y' was read as a missing value (1 cell)",
    ),
    "missing values, as set": Reads(
        "x,y\n-99,1\n2,absent\n3,4\n",
        {"x": [None, 2, 3], "y": [1, None, 4]},
        written={"missing": ["-99", "absent"]},
    ),
    "a constant column": Reads(
        "x,c\n1,7\n2,7\n", {"x": [1, 2]}, "'c' was left out, because it has one value only (7)"
    ),
    "a column without values": Reads(
        "x,e\n1,\n2,NA\n", {"x": [1, 2]}, "'e' was left out, because it has no values"
    ),
    "dates": Reads(
        "x,d\n1,2024-01-31\n2,2024-02-01\n",
        {"x": [1, 2]},
        "'d' was left out, because it holds dates or times ('2024-01-31' in line 2)",
    ),
    "dates of other countries": Reads(
        "x,d,e\n1,31.01.2024,1/31/24 10:00 PM\n2,01.02.2024,2/1/24 9:15 AM\n",
        {"x": [1, 2]},
        "('1/31/24 10:00 PM' in line 2)",
        options={"mixed": True},
    ),
    "identifiers": Reads(
        "id,x\n" + "".join(f"C{i:03},{i % 7}\n" for i in range(40)),
        {"x": [i % 7 for i in range(40)]},
        "'id' was left out, because nearly every row has another text ('C000' in line 2)",
        options={"mixed": True},
    ),
    "a number with a unit": Reads(
        "x,w\n1,70\n2,81\n3,90 kg\n", {"x": [1, 2, 3]}, "('90 kg' in line 4)"
    ),
    "excluded columns": Reads(
        "id,x,y\n7,1.5,10\n5,2.25,20\n9,3,30\n", XY, options={"exclude": ["id"]}
    ),
    "true and false": Reads(
        "x,b\n1,TRUE\n2,False\n", {"x": [1, 2], "b": [True, False]}, options={"mixed": True}
    ),
    "JSON lines": Reads('{"x":1.5,"y":10}\n{"x":2.25,"y":20}\n{"x":"3","y":30}\n', XY),
    "a JSON list": Reads('[{"x":1.5,"y":10},{"x":2.25,"y":20},{"x":3,"y":30}]', XY),
    "numbers with blanks, signs and exponents": Reads(
        "x,y\n +1.5,1e1\n2.25 ,2E+01\n3.,30\n", {"x": [1.5, 2.25, 3.0], "y": [10.0, 20.0, 30.0]}
    ),
}

FAILED = {
    "a short line": Fails("x,y\n1,2\n3\n4,5\n", "Line 3 of table has 1 cell, but the first line"),
    "a long line": Fails("x,y\n1,2\n3,4,5\n", "Line 3 of table has 3 cells, but the first line"),
    "a short line below comments and quotes": Fails(
        '# a\n\nx,y\n"1\n2",2\n3\n', "Line 6 of table has 1 cell, but the first line has 2"
    ),
    "a title that may be a header": Fails(
        "a,b\nx,y,z\n1,2,3\n4,5,6\n", "set --separator or --decimal"
    ),
    "one column with decimal commas": Fails("x\n1,5\n2,5\n", "set --separator or --decimal"),
    "thousands or decimals": Fails(
        "x;y\n1,234;1\n2,345;2\n", "'1,234' in line 2, which may be 1234 or 1.234: say which with"
    ),
    "points between thousands, perhaps": Fails(
        "x;y\n1.234;1\n950;2\n", "'1.234' in line 2, which may be 1234 or 1.234: say which with"
    ),
    "a quote that is not closed": Fails('x,y\n1,"a\n2,b\n', "has a quotation mark in line 2"),
    "quotes of both kinds": Fails('x,t\n1,"a"\n2,5" nail\n', "has a quotation mark in line 3"),
    "nothing": Fails("", "table is empty"),
    "only blank lines": Fails("\n \n", "table is empty"),
    "only a header": Fails("x,y\n", "table has no rows"),
    "only text": Fails("x,y\nu,v\nw,z\n", "('u' in line 2); --family auto uses text, too"),
    "a picture": Fails(
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", "table is not a table that can be read"
    ),
    "half of a gzip file": Fails(gzip.compress(PLAIN.encode())[:20], "could not be unpacked"),
    "half of a Parquet file": Fails(b"PAR1\x15\x04", "table could not be read"),
    "half of a workbook": Fails(b"PK\x03\x04\x14\0", "table could not be read"),
    "a wrong encoding": Fails(
        SIZES.encode("latin-1"), "not written in the encoding utf-8", {"encoding": "utf-8"}
    ),
    "infinity": Fails("x,y\n1,2\ninf,3\n", "Column 'x' of table has infinity in line 3"),
    "a number that is too large": Fails(
        "x\n1\n1e400\n", "in line 3, or a number that is too large"
    ),
    "a named column with a unit": Fails(
        "x,w\n1,70\n2,81\n3,90 kg\n",
        "Column 'w' of table is not numeric ('90 kg' in line 4): correct it",
        options={"columns": ["x", "w"]},
    ),
    "a named column of text": Fails(
        "x,t\n1,a\n2,b\n",
        "('a' in line 2): choose other columns, or use --family auto or categorical",
        options={"columns": ["t"]},
    ),
    "an unknown column to exclude": Fails(
        PLAIN, "table has no column 'z': its columns are x, y", options={"exclude": ["z"]}
    ),
}
