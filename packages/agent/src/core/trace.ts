/**
 * `00-TRACE-SPAN-FLAGS`, as W3C Trace Context has it: TRACE names the change that began it all, SPAN the message. Whatever follows from a
 * message carries its TRACE on, under a SPAN its own.
 */
const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/u;

/** A traceparent that someone sent; undefined when it is none, and is ignored. */
export function readTraceparent(text: string | undefined): string | undefined {
  const [, version, trace, span, flags, more] = form.exec(text ?? '') ?? [];
  return trace === undefined || (version === '00' && more !== undefined) ? undefined : `00-${trace}-${span}-${flags}`;
}

const hex = (nonce: string): string => nonce.replaceAll('-', '');
const newSpan = (nonce: () => string): string => hex(nonce()).slice(16);

/** Something has changed: a trace begins. `nonce` gives UUIDs. */
export function beginTrace(nonce: () => string): string {
  const id = hex(nonce());
  return `00-${id}-${id.slice(16)}-01`;
}

/** What follows from a message. */
export const carryOn = (parent: string, nonce: () => string): string =>
  `${parent.slice(0, 36)}${newSpan(nonce)}${parent.slice(52)}`;

/** The part that is the same from the change to its last consequence. */
export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);

/** What a log line says of it. */
export const traced = (traceparent: string | undefined): { readonly trace?: string } =>
  traceparent === undefined ? {} : { trace: traceIdOf(traceparent) };
