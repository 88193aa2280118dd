import { RenderError, type RenderErrorReason } from '../render-error.ts';

/** An error of a build, with Kustomize's message where Kustomize has one. */
export class KustomizeError extends RenderError {
  constructor(message: string, reason: RenderErrorReason = 'InvalidKustomization') {
    super(reason, message);
    this.name = 'KustomizeError';
  }
}

/** Runs a step, and adds its name to errors. */
export function within<T>(context: string | (() => string), step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw inContext(context, error);
  }
}

export async function withinAsync<T>(context: string | (() => string), step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw inContext(context, error);
  }
}

const inContext = (context: string | (() => string), error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const reason = error instanceof RenderError ? error.reason : 'InvalidKustomization';
  return new KustomizeError(`${typeof context === 'string' ? context : context()}: ${error.message}`, reason);
};
