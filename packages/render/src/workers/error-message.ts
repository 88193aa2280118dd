import { RenderError } from '../render-error.ts';
import { asError } from '../util/errors.ts';
import type { SerializedError } from './protocol.ts';

export function serializeError(error: unknown): SerializedError {
  if (error instanceof RenderError) {
    const { reason, message, inputs } = error;
    return { reason, message, ...(inputs ? { inputs } : {}) };
  }
  const { message, stack } = asError(error);
  return { reason: undefined, message, ...(stack === undefined ? {} : { stack }) };
}

export function deserializeError({ reason, message, stack, inputs }: SerializedError): Error {
  if (reason) {
    const failure = new RenderError(reason, message);
    if (inputs) failure.inputs = inputs;
    return failure;
  }
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
