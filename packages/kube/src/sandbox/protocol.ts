/** The messages between one kind of sandbox and its parent process. Values are copied: they have no functions and no class instances. */
export interface SandboxProtocol {
  /** The task. */
  readonly task: object;
  readonly result: unknown;
  /** A request to the parent process, and the reply. */
  readonly request?: unknown;
  readonly reply?: unknown;
  /** A piece of a large result, sent before the result. */
  readonly part?: unknown;
}

export type ToSandbox<P extends SandboxProtocol> =
  | { readonly type: 'task'; readonly task: P['task'] }
  | { readonly type: 'reply'; readonly id: number; readonly reply: P['reply'] };

/** `cpuMs`: the CPU time that the process has used when it starts to wait for a task. */
export type FromSandbox<P extends SandboxProtocol> =
  | { readonly type: 'ready'; readonly cpuMs: number }
  | { readonly type: 'request'; readonly id: number; readonly request: P['request'] }
  | { readonly type: 'part'; readonly part: P['part'] }
  | { readonly type: 'result'; readonly result: P['result']; readonly cpuMs: number }
  | { readonly type: 'failed'; readonly message: string; readonly stack?: string; readonly cpuMs: number };
