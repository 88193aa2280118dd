import { writeYaml } from '../go-yaml/write-yaml.ts';
import { withinAsync } from './kustomize-error.ts';

/** Runs the configuration of a built-in plugin. Its errors show the configuration, as Kustomize's do. */
export const configuring = <T>(kind: string, config: object, step: () => Promise<T>): Promise<T> =>
  withinAsync(() => `trouble configuring builtin ${kind} with config: \`\n${configText(config)}\``, step);

/** The YAML that Kustomize passes to a plugin: without empty fields. */
export const configText = (config: object): string =>
  writeYaml(Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined && value !== '')));
