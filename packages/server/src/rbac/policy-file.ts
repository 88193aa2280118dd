import { isObject, stringsAt } from '@fairlead/apimachinery';
import { readYaml, YamlError } from '@fairlead/render/go-yaml';

/** The data of `argocd-rbac-cm` in a file: the ConfigMap itself, or only a policy. */
export function readPolicyFile(text: string): Readonly<Record<string, string>> {
  const value = yamlValue(text);
  return isObject(value) ? stringsAt(value, 'data') : { 'policy.csv': text };
}

/** A policy is rarely YAML, and then it is a text. */
function yamlValue(text: string): unknown {
  try {
    return readYaml(text);
  } catch (error) {
    if (error instanceof YamlError) return text;
    throw error;
  }
}
