import type { Json } from '../json/json-value.ts';
import { countMembers, type Survey } from './json-survey.ts';

/** A body that is JSON at least: its value, and what else its text showed. */
export interface Document {
  readonly value: Json;
  /** The JSON text, for a closer look where the survey asks for one. */
  readonly json?: { readonly text: string; readonly survey: Survey };
  readonly yamlDuplicates?: () => readonly string[];
}

/** Whether a key of the text came twice in one object. */
export const hasDuplicates = ({ value, json }: Document): boolean =>
  json !== undefined && json.survey.members !== countMembers(value);
