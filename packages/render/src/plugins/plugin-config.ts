import { listAt, messageOf, objectAt, textAt } from '@fairlead/apimachinery';
import { readYaml } from '../go-yaml/index.ts';

/** A program and its arguments; empty if the file names none. */
export type Command = readonly string[];

/** A `ConfigManagementPlugin` file, as Argo CD's sidecars read it. */
export interface PluginConfig {
  /** The name by which sources refer to it: `name`, or `name-version`. */
  readonly name: string;
  readonly init: Command;
  readonly generate: Command;
  readonly discover: {
    /** A glob in the folder of the source. */
    readonly fileName: string;
    /** A glob with `**` in the folder of the source. */
    readonly glob: string;
    /** Prints anything if it supports the folder that it runs in. */
    readonly command: Command;
  };
}

export class InvalidPlugin extends Error {}

/** Names of plugins become names of folders, and are printed. */
const fileName = /^(?:[\w+-][\w.+-]*)?$/u;

/** Throws an InvalidPlugin with the message of Argo CD. */
export function readPluginConfig(text: string): PluginConfig {
  let file: unknown;
  try {
    // Of two fields with the same name, a reader and the program could choose different ones.
    file = readYaml(text, { uniqueKeys: true });
  } catch (error) {
    throw new InvalidPlugin(`invalid plugin configuration file. ${messageOf(error)}`);
  }
  const [name, kind, version] = [
    textAt(file, 'metadata', 'name'),
    textAt(file, 'kind'),
    textAt(file, 'spec', 'version'),
  ];
  const refuse = (why: string): InvalidPlugin => new InvalidPlugin(`invalid plugin configuration file. ${why}`);
  if (name === '') throw refuse('metadata.name should be non-empty');
  for (const [field, value] of Object.entries({ 'metadata.name': name, 'spec.version': version })) {
    if (!fileName.test(value)) throw refuse(`${field} should have letters, digits and the characters . _ + - only`);
  }
  if (kind !== 'ConfigManagementPlugin') throw refuse(`kind should be ConfigManagementPlugin, found ${kind}`);
  const generate = commandAt(file, 'spec', 'generate');
  if (generate.length === 0) throw refuse('spec.generate command should be non-empty');
  return {
    name: version === '' ? name : `${name}-${version}`,
    init: commandAt(file, 'spec', 'init'),
    generate,
    discover: {
      fileName: textAt(file, 'spec', 'discover', 'fileName'),
      glob: textAt(file, 'spec', 'discover', 'find', 'glob'),
      command: commandAt(file, 'spec', 'discover', 'find'),
    },
  };
}

export const hasDiscovery = ({ discover: { fileName, glob, command } }: PluginConfig): boolean =>
  fileName !== '' || glob !== '' || command.length > 0;

function commandAt(file: unknown, ...path: string[]): Command {
  const found = objectAt(file, ...path);
  const command = texts(listAt(found, 'command'));
  return command.length === 0 ? [] : [...command, ...texts(listAt(found, 'args'))];
}

const texts = (values: readonly unknown[]): string[] => values.map(String);
