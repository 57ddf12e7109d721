"""Every node class, and which rule of grammar/cuda.lark each belongs to."""

from __future__ import annotations

from r3c.tree.declarations import (
    Decl as Decl,
)
from r3c.tree.declarations import (
    Declarator as Declarator,
)
from r3c.tree.declarations import (
    DeclStmt as DeclStmt,
)
from r3c.tree.declarations import (
    InitDeclarator as InitDeclarator,
)
from r3c.tree.declarations import (
    Param as Param,
)
from r3c.tree.expressions import (
    Assign as Assign,
)
from r3c.tree.expressions import (
    Binary as Binary,
)
from r3c.tree.expressions import (
    Braced as Braced,
)
from r3c.tree.expressions import (
    Call as Call,
)
from r3c.tree.expressions import (
    Cast as Cast,
)
from r3c.tree.expressions import (
    CommaExpr as CommaExpr,
)
from r3c.tree.expressions import (
    Expr as Expr,
)
from r3c.tree.expressions import (
    Index as Index,
)
from r3c.tree.expressions import (
    Lambda as Lambda,
)
from r3c.tree.expressions import (
    Launch as Launch,
)
from r3c.tree.expressions import (
    Literal as Literal,
)
from r3c.tree.expressions import (
    Member as Member,
)
from r3c.tree.expressions import (
    Name as Name,
)
from r3c.tree.expressions import (
    NamedCast as NamedCast,
)
from r3c.tree.expressions import (
    New as New,
)
from r3c.tree.expressions import (
    Paren as Paren,
)
from r3c.tree.expressions import (
    PostInc as PostInc,
)
from r3c.tree.expressions import (
    SizeOf as SizeOf,
)
from r3c.tree.expressions import (
    String as String,
)
from r3c.tree.expressions import (
    Ternary as Ternary,
)
from r3c.tree.expressions import (
    This as This,
)
from r3c.tree.expressions import (
    TypeCall as TypeCall,
)
from r3c.tree.expressions import (
    Unary as Unary,
)
from r3c.tree.node import Node as Node
from r3c.tree.statements import (
    Asm as Asm,
)
from r3c.tree.statements import (
    Body as Body,
)
from r3c.tree.statements import (
    Break as Break,
)
from r3c.tree.statements import (
    Case as Case,
)
from r3c.tree.statements import (
    Continue as Continue,
)
from r3c.tree.statements import (
    Control as Control,
)
from r3c.tree.statements import (
    Delete as Delete,
)
from r3c.tree.statements import (
    Do as Do,
)
from r3c.tree.statements import (
    Empty as Empty,
)
from r3c.tree.statements import (
    ExprStmt as ExprStmt,
)
from r3c.tree.statements import (
    For as For,
)
from r3c.tree.statements import (
    Goto as Goto,
)
from r3c.tree.statements import (
    If as If,
)
from r3c.tree.statements import (
    Label as Label,
)
from r3c.tree.statements import (
    Loop as Loop,
)
from r3c.tree.statements import (
    MacroStmt as MacroStmt,
)
from r3c.tree.statements import (
    OpaqueStmt as OpaqueStmt,
)
from r3c.tree.statements import (
    PpArm as PpArm,
)
from r3c.tree.statements import (
    PpBefore as PpBefore,
)
from r3c.tree.statements import (
    PpLine as PpLine,
)
from r3c.tree.statements import (
    PpRegion as PpRegion,
)
from r3c.tree.statements import (
    RangeFor as RangeFor,
)
from r3c.tree.statements import (
    RawDeclaration as RawDeclaration,
)
from r3c.tree.statements import (
    Return as Return,
)
from r3c.tree.statements import (
    Statement as Statement,
)
from r3c.tree.statements import (
    Switch as Switch,
)
from r3c.tree.statements import (
    Throw as Throw,
)
from r3c.tree.statements import (
    Try as Try,
)
from r3c.tree.statements import (
    While as While,
)

CLASSES: dict[str, type[Node]] = {
    "body": Body, "for_": For, "range_for": RangeFor, "while_": While, "do_": Do, "if_": If, "switch_": Switch,
    "try_": Try, "pp_before": PpBefore, "pp_line": PpLine, "return_": Return, "break_": Break, "continue_": Continue,
    "goto_": Goto, "label": Label, "case": Case, "default": Case, "throw_": Throw, "delete_": Delete, "asm": Asm,
    "empty": Empty, "expression_statement": ExprStmt, "macro_statement": MacroStmt, "macro_body": MacroStmt,
    "macro_word": MacroStmt, "macro_statements": MacroStmt, "raw_declaration": RawDeclaration, "opaque": OpaqueStmt,
    "declaration_statement": DeclStmt, "declaration": Decl, "init_declarator": InitDeclarator,
    "declarator": Declarator, "parameter": Param, "binary": Binary, "prefix": Unary, "postfix_increment": PostInc,
    "assign": Assign, "conditional": Ternary, "cast": Cast, "named_cast": NamedCast, "type_call": TypeCall,
    "sizeof": SizeOf, "call": Call, "launch": Launch, "index": Index, "member": Member, "name": Name,
    "literal": Literal, "string": String, "paren": Paren, "braced": Braced, "lambda": Lambda, "new": New,
    "comma": CommaExpr, "this": This,
}  # fmt: skip
