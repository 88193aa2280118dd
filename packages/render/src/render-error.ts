import type { Basis } from './recording.ts';

/** Why a source could not be rendered. None of them passes by trying again: the source or the Application must change. */
export type RenderErrorReason =
  | 'PathNotFound'
  | 'PathOutsideTree'
  | 'InvalidManifest'
  | 'InvalidChart'
  | 'InvalidValues'
  | 'MissingDependency'
  | 'TemplateFailed'
  | 'TooLarge'
  | 'LimitExceeded'
  | 'InvalidOption'
  | 'Unsupported';

export class RenderError extends Error {
  readonly reason: RenderErrorReason;
  /** What the render that failed had come to look at: it fails again as long as this holds. */
  basis?: Basis;

  constructor(reason: RenderErrorReason, message: string) {
    super(message);
    this.name = 'RenderError';
    this.reason = reason;
  }
}
