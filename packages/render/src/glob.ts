import { GlobError, globMatcher as matcher } from '@fairlead/apimachinery/primitives';
import { RenderError } from './render-error.ts';

/** A glob of a source, whose errors are reported to its author. */
export function globMatcher(pattern: string, separator = ''): (text: string) => boolean {
  try {
    return matcher(pattern, separator);
  } catch (error) {
    throw error instanceof GlobError ? new RenderError('InvalidOption', error.message) : error;
  }
}
