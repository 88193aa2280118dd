import type { RenderInputs } from './source/render-inputs.ts';

/** Why a source could not be rendered. A retry does not help: the source or the Application must change. */
export type RenderErrorReason =
  | 'PathNotFound'
  | 'PathOutsideTree'
  | 'InvalidManifest'
  | 'InvalidChart'
  | 'InvalidKustomization'
  | 'InvalidValues'
  | 'MissingDependency'
  | 'TemplateFailed'
  | 'TooLarge'
  | 'LimitExceeded'
  | 'InvalidOption'
  | 'Unsupported';

export class RenderError extends Error {
  readonly reason: RenderErrorReason;
  /** The inputs of the failed render. It fails again as long as they are unchanged. */
  inputs?: RenderInputs;

  constructor(reason: RenderErrorReason, message: string) {
    super(message);
    this.name = 'RenderError';
    this.reason = reason;
  }
}
