/**
 * `00-TRACE-SPAN-FLAGS` of W3C Trace Context: TRACE identifies the first change, SPAN the message. A message that results from another
 * has its TRACE, and a new SPAN.
 */
const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/u;

/** A traceparent from outside; undefined if it is invalid. */
export function readTraceparent(text: string | undefined): string | undefined {
  const [, version, trace, span, flags, more] = form.exec(text ?? '') ?? [];
  return trace === undefined || (version === '00' && more !== undefined) ? undefined : `00-${trace}-${span}-${flags}`;
}

const hex = (nonce: string): string => nonce.replaceAll('-', '');
const newSpan = (nonce: () => string): string => hex(nonce()).slice(16);

/** Begins a trace for a change. `nonce` returns UUIDs. */
export function beginTrace(nonce: () => string): string {
  const id = hex(nonce());
  return `00-${id}-${id.slice(16)}-01`;
}

/** The traceparent of a message that results from another. */
export const carryOn = (parent: string, nonce: () => string): string =>
  `${parent.slice(0, 36)}${newSpan(nonce)}${parent.slice(52)}`;

/** The part that is the same for the first change and everything that results from it. */
export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);

/** The field of a log line. */
export const traced = (traceparent: string | undefined): { readonly trace?: string } =>
  traceparent === undefined ? {} : { trace: traceIdOf(traceparent) };
