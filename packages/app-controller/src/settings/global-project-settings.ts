import {
  type GlobalProject,
  type LabelExpression,
  type LabelSelector,
  labelOperators,
} from '../project/global-projects.ts';
import type { SettingsReader } from './settings-reader.ts';

const key = 'globalProjects';

/** Which projects give their rules to which others. An entry that cannot be read is left out, and told. */
export function readGlobalProjects(settings: SettingsReader): GlobalProject[] {
  const value = settings.yaml(key);
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    settings.problem(key, 'is no list of labelSelector and projectName');
    return [];
  }
  return value.flatMap((entry: unknown) => {
    const { projectName, labelSelector } = isMap(entry) ? entry : {};
    if (typeof projectName !== 'string' || projectName === '') {
      settings.problem(key, `${JSON.stringify(entry)} has no projectName`);
      return [];
    }
    const selector = readSelector(labelSelector ?? {});
    if (typeof selector !== 'string') return [{ projectName, selector }];
    settings.problem(key, `labelSelector of ${projectName}: ${selector}`);
    return [];
  });
}

/** What is wrong with it, in words, when it cannot be read. */
function readSelector(value: unknown): LabelSelector | string {
  if (!isMap(value)) return 'has neither matchLabels nor matchExpressions';
  const { matchLabels = {}, matchExpressions = [] } = value;
  if (!isMap(matchLabels) || !Object.values(matchLabels).every((text) => typeof text === 'string'))
    return 'matchLabels is no map of texts';
  if (!Array.isArray(matchExpressions)) return 'matchExpressions is no list';
  const wrong = matchExpressions.find((one: unknown) => !isExpression(one));
  if (wrong !== undefined)
    return `${JSON.stringify(wrong)} is no key with an operator of ${labelOperators.join(', ')} and its values`;
  return {
    matchLabels: matchLabels as Record<string, string>,
    matchExpressions: matchExpressions as LabelExpression[],
  };
}

function isExpression(value: unknown): value is LabelExpression {
  if (!isMap(value) || typeof value['key'] !== 'string') return false;
  const { operator, values = [] } = value;
  const known = labelOperators.find((one) => one === operator);
  if (!known || !Array.isArray(values) || !values.every((text) => typeof text === 'string')) return false;
  return known === 'In' || known === 'NotIn' ? values.length > 0 : values.length === 0;
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
