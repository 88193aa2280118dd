import type { Json } from '../json/json-value.ts';
import { countMembers, type Survey } from './json-survey.ts';

/** A body that is valid JSON: its value, and the findings in its text. */
export interface Document {
  readonly value: Json;
  /** The JSON text, for a full scan if the survey requires one. */
  readonly json?: { readonly text: string; readonly survey: Survey };
  readonly yamlDuplicates?: () => readonly string[];
}

/** Whether an object in the text has a duplicate key. */
export const hasDuplicates = ({ value, json }: Document): boolean =>
  json !== undefined && json.survey.members !== countMembers(value);
