//===- TTTypes.td - circular buffers ----------------------------------------===//

#ifndef TILEWRIGHT_TT_TYPES
#define TILEWRIGHT_TT_TYPES

include "TTBase.td"

def TT_CBType : TypeDef<TT_Dialect, "CB"> {
  let mnemonic = "cb";
  let summary = "a circular buffer, by the block that one op moves through it";
  let description = [{
    `!tt.cb<4x1xbf16>` carries blocks of 4 by 1 tiles of 32x32 bf16 elements.
    How many blocks the buffer holds is its depth, which is metadata.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$element_type);
  let assemblyFormat = "`<` custom<BlockShape>($shape, $element_type) `>`";
  let genVerifyDecl = 1;
}

#endif
