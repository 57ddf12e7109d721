"""CUDA text to a lossless tree and back: lexer, classifier, LALR parser, typed nodes, views, annotations."""
