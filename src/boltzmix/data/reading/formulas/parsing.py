"""Formulas as terms: a grammar of our own, of which nothing is ever run as code."""

from .expressions import (
    DEEPEST,
    FUNCTIONS,
    INTERCEPT,
    MOST_PRODUCTS,
    POWER,
    PRODUCT,
    SIGN,
    SUM,
    WRAPPERS,
    Expression,
    Terms,
    TooManyTermsError,
    call,
    column,
    combined,
    interactions,
    number,
    signed,
)
from .tokens import LONGEST, QUOTING, Token, shown, split_sides, tokens_of, too_large, unreadable

MOST_NESTED = 50  # parentheses inside one another
TERM_SIGNS = {"+": 1, "-": 1, "*": 2, "/": 2, ":": 3, "**": 4, "^": 4}
NUMBER_SIGNS = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "**": POWER, "^": POWER}
CLOSING = {"(": ")", "{": "}"}


def terms_of(text: str) -> Terms:
    """Return the terms of the right-hand side of a formula; raise if it cannot be read."""
    if len(text) > LONGEST:
        raise too_large(text, f"has more than {LONGEST} letters")
    left, right = split_sides(text)
    if left is not None and left.strip():
        raise unreadable(text, "there is something before the tilde")
    return _Parser(right).all_terms()


class _Parser:
    """Reads a formula from left to right.

    Parameters
    ----------
    text : str
        Without a tilde.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(tokens_of(text))
        self._place = 0
        self._nested = 0
        self._products = 0

    def all_terms(self) -> Terms:
        """Return the terms of the whole formula."""
        try:
            found = self._terms(0)
        except TooManyTermsError as error:
            raise too_large(self._text, str(error)) from None
        if self._next.kind != "end":
            raise self._unexpected()
        return found

    @property
    def _next(self) -> Token:
        return self._tokens[self._place]

    def _take(self) -> Token:
        self._place += 1
        return self._tokens[self._place - 1]

    def _next_is(self, signs: str | dict[str, int]) -> bool:
        return self._next.kind == "sign" and self._next.text in signs

    def _terms(self, weakest: int) -> Terms:
        """Return the terms up to a sign that binds no more strongly than `weakest`."""
        self._enter()
        found = self._first_terms()
        while self._next_is(TERM_SIGNS) and TERM_SIGNS[self._next.text] > weakest:
            sign = self._take().text
            if sign in ("**", "^"):
                found = self._to_a_power(found)
            else:
                found = self._joined(sign, found, self._terms(TERM_SIGNS[sign]))
        self._nested -= 1
        return found

    def _first_terms(self) -> Terms:
        if self._next_is("+-"):
            sign = self._take().text
            return self._joined(sign, Terms(), self._terms(TERM_SIGNS[sign]))
        if self._next_is("("):
            self._take()
            found = self._terms(0)
            self._close("(")
            return found
        if self._next.kind == "number":
            return self._constant(self._take().text)
        if self._next_is("{"):
            self._take()
            inside = self._expression(0)
            self._close("{")
            return self._factor(inside)
        return self._factor(self._atom())

    def _factor(self, inside: Expression) -> Terms:
        if not inside.columns:
            raise unreadable(self._text, f"{shown(inside.text)} has no column in it")
        return Terms((inside,))

    def _constant(self, text: str) -> Terms:
        if text == "0":
            raise self._without_intercept()
        if text != "1":
            raise unreadable(self._text, f"{text} is no term")
        return Terms(INTERCEPT)

    def _without_intercept(self) -> ValueError:
        return ValueError(
            f"The formula {shown(self._text)} leaves the intercept out, which is always there:"
            " remove the '-1' or '0'."
        )

    def _joined(self, sign: str, left: Terms, right: Terms) -> Terms:
        """Return what a sign makes of the terms beside it."""
        if sign == "+":
            return left + right
        if sign == "-":
            if INTERCEPT in right:
                raise self._without_intercept()
            return left - right
        if sign == "/":
            return left + self._interactions(left.product(), right)
        product = self._interactions(left, right)
        return left + right + product if sign == "*" else product

    def _interactions(self, left: Terms, right: Terms) -> Terms:
        self._products += len(left) * len(right)
        if self._products > MOST_PRODUCTS:
            raise TooManyTermsError("has too many interactions")
        return interactions(left, right)

    def _to_a_power(self, base: Terms) -> Terms:
        exponent = self._take()
        if exponent.kind != "number" or not exponent.text.isdigit() or int(exponent.text) < 1:
            raise unreadable(self._text, "the power of a term is no whole number above zero")
        found = base
        for _ in range(int(exponent.text) - 1):
            before, found = len(found), self._interactions(found, base)
            if len(found) == before:
                break
        return found

    def _expression(self, weakest: int) -> Expression:
        """Return numbers up to a sign that binds no more strongly than `weakest`."""
        self._enter()
        found = self._signed() if self._next_is("+-") else self._atom()
        while self._next_is(NUMBER_SIGNS) and NUMBER_SIGNS[self._next.text] > weakest:
            sign = self._take().text.replace("^", "**")
            right = self._expression(NUMBER_SIGNS[sign] - (sign == "**"))
            found = self._checked(combined(sign, found, right), found, right)
        self._nested -= 1
        return found

    def _signed(self) -> Expression:
        sign = self._take().text
        inside = self._expression(SIGN)
        return self._checked(signed(sign, inside), inside)

    def _atom(self) -> Expression:
        """Return a number, a column, a function, or what parentheses have inside them."""
        if self._next_is("("):
            self._take()
            inside = self._expression(0)
            self._close("(")
            return inside
        token = self._take()
        if token.kind == "number":
            return self._number(token.text)
        if token.kind == "quoted":
            return column(token.text)
        if token.kind != "name":
            self._place -= 1
            raise self._unexpected()
        if self._next_is("("):
            return self._call(token.text)
        if "." in token.text:
            raise self._not_allowed(token.text)
        return column(token.text)

    def _number(self, text: str) -> Expression:
        try:
            return number(text)
        except OverflowError:
            raise unreadable(self._text, f"{text} is too large a number") from None

    def _call(self, name: str) -> Expression:
        if name not in WRAPPERS and name.removeprefix("np.") not in FUNCTIONS:
            raise self._not_allowed(f"{name}()")
        self._take()
        inside = self._expression(0)
        self._close("(")
        if name == "C" and inside.column is None:
            raise unreadable(self._text, "C() has something else inside than one column")
        return self._checked(call(name, inside), *([] if name in WRAPPERS else [inside]))

    def _checked(self, made: Expression, *parts: Expression) -> Expression:
        """Return an expression that was made of others; raise if that is not possible."""
        if any(one.as_categories for one in parts):
            raise unreadable(self._text, "it computes with the categories that C() makes")
        if made.depth > DEEPEST:
            raise too_large(self._text, f"has more than {DEEPEST} operations inside one another")
        return made

    def _enter(self) -> None:
        self._nested += 1
        if self._nested > MOST_NESTED:
            raise too_large(self._text, f"has more than {MOST_NESTED} parts inside one another")

    def _close(self, opening: str) -> None:
        if not self._next_is(CLOSING[opening]):
            raise self._unexpected()
        self._take()

    def _unexpected(self) -> ValueError:
        if self._next.kind == "end":
            return unreadable(self._text, "something is missing at its end")
        reason = f"{shown(self._next.text)} is not expected in its place"
        return unreadable(self._text, reason, QUOTING)

    def _not_allowed(self, name: str) -> ValueError:
        functions = ", ".join([*WRAPPERS, *FUNCTIONS])
        return ValueError(
            f"The formula {shown(self._text)} may have names of columns, numbers, + - * / : ^ and"
            f" the functions {functions} only, and has {shown(name)}: compute other columns"
            f" yourself, and {QUOTING}."
        )
