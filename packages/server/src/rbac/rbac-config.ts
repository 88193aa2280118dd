import { isObject, messageOf } from '@fairlead/apimachinery';
import { readYaml } from '@fairlead/render/go-yaml';
import { type MatchMode, matchModeOf } from './pattern.ts';
import { type Policy, parsePolicy, policyText } from './policy.ts';
import { PolicyError } from './policy-line.ts';

/** What `argocd-rbac-cm` says. */
export interface RbacConfig {
  /** What everybody may do: a role or any other name of the policy; none if empty. */
  readonly defaultRole: string;
  readonly mode: MatchMode;
  /** The claims that name groups. */
  readonly scopes: readonly string[];
  readonly policy: Policy;
}

const defaultScopes = ['groups'];

/** Reads the data of the ConfigMap. Throws a PolicyError in Argo CD's words. */
export function readRbacConfig(data: Readonly<Record<string, string>>): RbacConfig {
  return {
    defaultRole: data['policy.default'] ?? '',
    mode: matchModeOf(data['policy.matchMode']),
    scopes: readScopes(data['scopes'] ?? ''),
    policy: loadPolicy(policyText(data)),
  };
}

export const emptyRbacConfig: RbacConfig = readRbacConfig({});

function loadPolicy(text: string): Policy {
  try {
    return parsePolicy(text);
  } catch (error) {
    throw new PolicyError(
      `error loading RBAC policy: error creating casbin enforcer: error loading policy line: ${messageOf(error)}`,
    );
  }
}

function readScopes(text: string): readonly string[] {
  if (text === '') return defaultScopes;
  const problem = (what: string): PolicyError =>
    new PolicyError(`error running policy update callback: error unmarshalling scopes: yaml: ${what}`);
  let value: unknown;
  try {
    value = readYaml(text);
  } catch (error) {
    throw problem(messageOf(error).replace(/^(?:error converting YAML to JSON: )?(?:yaml: )?/u, ''));
  }
  if (value === null) return [];
  if (!Array.isArray(value)) {
    throw problem(`unmarshal errors:\n  line 1: cannot unmarshal ${described(value, text)} into []string`);
  }
  return value.map((item) => {
    if (isObject(item) || Array.isArray(item)) {
      throw problem(`unmarshal errors:\n  line 1: cannot unmarshal ${described(item, text)} into string`);
    }
    return item === null ? '' : String(item);
  });
}

function described(value: unknown, text: string): string {
  if (Array.isArray(value)) return '!!seq';
  if (isObject(value)) return '!!map';
  const tag = { string: '!!str', boolean: '!!bool', number: Number.isInteger(value) ? '!!int' : '!!float' };
  const type = typeof value;
  return `${type === 'string' || type === 'boolean' || type === 'number' ? tag[type] : '!!null'} \`${text.trim()}\``;
}
