// RUN: not tt-opt --tt-put-back %s 2>&1 | FileCheck %s
// CHECK: error: tt.aside is no module in bytecode, as --tt-set-aside writes it
module attributes {tt.aside = "func"} {
  func.func @f() {
    return
  }
}
