/** The parts of WebAssembly that the salt search uses. TypeScript only declares them among the types for browsers. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>);
  }
  class Instance {
    constructor(module: Module);
    readonly exports: Record<string, unknown>;
  }
  function validate(bytes: Uint8Array<ArrayBuffer>): boolean;
}
