import { isJsonObject, selectorFromObject } from '@fairlead/apimachinery';
import type { GlobalProject } from '../project/global-projects.ts';
import type { SettingsReader } from './settings-reader.ts';

const key = 'globalProjects';
const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** The entries of `globalProjects`. An invalid entry is reported and ignored. */
export function readGlobalProjects(settings: SettingsReader): GlobalProject[] {
  const value = settings.yaml(key);
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    settings.problem(key, 'must be a list of entries with projectName and labelSelector');
    return [];
  }
  return value.flatMap((entry: unknown) => {
    const { projectName, labelSelector } = isJsonObject(entry) ? entry : {};
    if (typeof projectName !== 'string' || projectName === '') {
      settings.problem(key, `${JSON.stringify(entry)} has no projectName`);
      return [];
    }
    const selector = readSelector(labelSelector ?? {});
    if (typeof selector !== 'string') return [{ projectName, selector: selectorFromObject(selector) }];
    settings.problem(key, `labelSelector of ${projectName}: ${selector}`);
    return [];
  });
}

type ObjectSelector = NonNullable<Parameters<typeof selectorFromObject>[0]>;
type Requirement = NonNullable<ObjectSelector['matchExpressions']>[number];

/** The selector, or what is wrong with it. */
function readSelector(value: unknown): ObjectSelector | string {
  if (!isJsonObject(value)) return 'must be a map with matchLabels or matchExpressions';
  const { matchLabels = {}, matchExpressions = [] } = value;
  if (!isStringMap(matchLabels)) return 'matchLabels must be a map of strings';
  if (!Array.isArray(matchExpressions)) return 'matchExpressions must be a list';
  const requirements: Requirement[] = [];
  for (const expression of matchExpressions) {
    if (!isRequirement(expression))
      return `${JSON.stringify(expression)} is invalid: it needs a key, an operator (${operators.join(', ')}) and values for In and NotIn only`;
    requirements.push(expression);
  }
  return { matchLabels, matchExpressions: requirements };
}

const isStringMap = (value: unknown): value is Record<string, string> =>
  isJsonObject(value) && Object.values(value).every((text) => typeof text === 'string');

function isRequirement(value: unknown): value is Requirement {
  if (!isJsonObject(value) || typeof value['key'] !== 'string') return false;
  const { operator, values = [] } = value;
  if (typeof operator !== 'string' || !operators.includes(operator)) return false;
  if (!Array.isArray(values) || !values.every((text) => typeof text === 'string')) return false;
  return operator === 'In' || operator === 'NotIn' ? values.length > 0 : values.length === 0;
}
