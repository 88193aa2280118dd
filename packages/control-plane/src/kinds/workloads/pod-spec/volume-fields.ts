import { at, fieldError } from '@fairlead/apimachinery';
import type { Findings } from '../checks.ts';
import type { Leniency } from './leniency.ts';

export interface VolumeContext {
  /** Set for a pod, not for a template: claims of its ephemeral volumes are named after it. */
  readonly podName?: string;
  readonly leniency: Leniency;
}

/** Fields of a source that must not be empty. */
export function* missing(source: object | undefined, path: string, fields: readonly string[]): Findings {
  for (const field of fields) {
    const value = at(source, field);
    if (value == null || value === '' || (Array.isArray(value) && value.length === 0)) {
      yield fieldError.required(`${path}.${field}`);
    }
  }
}
