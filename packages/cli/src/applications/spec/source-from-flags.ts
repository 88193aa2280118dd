import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ApplicationSource } from '@fairlead/api';
import { elementAt, textAt } from '@fairlead/apimachinery';
import { CliError } from '../../cli-error.ts';
import type { Values } from '../../command-line/command.ts';
import type { sourceFlags } from '../../command-line/specs/source-flags.ts';
import { readNumber } from '../operations/sync-operation.ts';

export type SourceFlags = Values<typeof sourceFlags>;

/** Applies the flags to a source; other fields stay. */
export function sourceFromFlags(before: ApplicationSource, flags: SourceFlags): ApplicationSource {
  const helm = helmFromFlags(before.helm ?? {}, flags);
  const kustomize = kustomizeFromFlags(before.kustomize ?? {}, flags);
  const directory = directoryFromFlags(before.directory ?? {}, flags);
  return {
    ...before,
    ...given({
      repoURL: flags.repo === undefined ? undefined : repository(flags.repo),
      path: flags.path,
      targetRevision: flags.revision,
      ref: flags.ref,
      chart: flags['helm-chart'],
    }),
    ...(filled(helm) ? { helm } : {}),
    ...(filled(kustomize) ? { kustomize } : {}),
    ...(filled(directory) ? { directory } : {}),
  };
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Only the defined values. */
function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}

const filled = (part: object): boolean => Object.keys(part).length > 0;

/** The absolute path of a local folder: the controller has another working directory. */
function repository(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(text) || /^[^/]+@[^/]+:/u.test(text)) return text;
  const folder = resolve(text);
  return existsSync(folder) && statSync(folder).isDirectory() ? folder : text;
}

function helmFromFlags(before: NonNullable<ApplicationSource['helm']>, flags: SourceFlags) {
  const plain = [...(flags['helm-set'] ?? []), ...(flags.parameter ?? [])].map((text) => pair('helm-set', text));
  const strings = (flags['helm-set-string'] ?? []).map((text) => pair('helm-set-string', text));
  const parameters = [
    ...plain.map(([name, value]) => ({ name, value })),
    ...strings.map(([name, value]) => ({ name, value, forceString: true })),
  ];
  const files = (flags['helm-set-file'] ?? [])
    .map((text) => pair('helm-set-file', text))
    .map(([name, path]) => ({ name, path }));
  const literal = flags['values-literal-file'];
  return {
    ...before,
    ...given({
      releaseName: flags['release-name'],
      valueFiles: flags.values && [...flags.values],
      values: literal === undefined ? undefined : readText('values-literal-file', literal),
      ignoreMissingValueFiles: flags['ignore-missing-value-files'],
      skipCrds: flags['helm-skip-crds'],
      skipTests: flags['helm-skip-tests'],
      skipSchemaValidation: flags['helm-skip-schema-validation'],
      passCredentials: flags['helm-pass-credentials'],
      version: flags['helm-version'],
      parameters: parameters.length > 0 ? merged(before.parameters ?? [], parameters) : undefined,
      fileParameters: files.length > 0 ? merged(before.fileParameters ?? [], files) : undefined,
    }),
  };
}

/** A later entry replaces an earlier one of the same name. */
const merged = <T extends { name?: string }>(before: readonly T[], after: readonly T[]): T[] => [
  ...before.filter(({ name }) => !after.some((one) => one.name === name)),
  ...after,
];

function kustomizeFromFlags(before: NonNullable<ApplicationSource['kustomize']>, flags: SourceFlags) {
  const images = flags['kustomize-image'];
  const replicas = flags['kustomize-replica']?.map((text) => pair('kustomize-replica', text));
  const labels = flags['kustomize-common-label']?.map((text) => pair('kustomize-common-label', text));
  const annotations = flags['kustomize-common-annotation']?.map((text) => pair('kustomize-common-annotation', text));
  const imageName = (image: string): string => elementAt(image.split(/[=@]|:(?![^/]*\/)/u), 0);
  return {
    ...before,
    ...given({
      namePrefix: flags.nameprefix,
      nameSuffix: flags.namesuffix,
      namespace: flags['kustomize-namespace'],
      version: flags['kustomize-version'],
      images: images && [
        ...(before.images ?? []).filter((old) => !images.some((image) => imageName(image) === imageName(old))),
        ...images,
      ],
      replicas:
        replicas &&
        merged(
          before.replicas ?? [],
          replicas.map(([name, count]) => ({ name, count: readNumber('kustomize-replica', count) })),
        ),
      commonLabels: labels && { ...before.commonLabels, ...Object.fromEntries(labels) },
      commonAnnotations: annotations && { ...before.commonAnnotations, ...Object.fromEntries(annotations) },
    }),
  };
}

function directoryFromFlags(before: NonNullable<ApplicationSource['directory']>, flags: SourceFlags) {
  const variables = (
    plain: 'jsonnet-ext-var-str' | 'jsonnet-tla-str',
    code: 'jsonnet-ext-var-code' | 'jsonnet-tla-code',
  ) => {
    const all = [
      ...(flags[plain] ?? []).map((text) => pair(plain, text)).map(([name, value]) => ({ name, value })),
      ...(flags[code] ?? []).map((text) => pair(code, text)).map(([name, value]) => ({ name, value, code: true })),
    ];
    return all.length > 0 ? all : undefined;
  };
  const jsonnet = given({
    extVars: variables('jsonnet-ext-var-str', 'jsonnet-ext-var-code'),
    tlas: variables('jsonnet-tla-str', 'jsonnet-tla-code'),
    libs: flags['jsonnet-libs'] && [...flags['jsonnet-libs']],
  });
  return {
    ...before,
    ...given({
      recurse: flags['directory-recurse'],
      include: flags['directory-include'],
      exclude: flags['directory-exclude'],
    }),
    ...(filled(jsonnet) ? { jsonnet: { ...before.jsonnet, ...jsonnet } } : {}),
  };
}

export function pair(flag: string, text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at <= 0) throw new CliError(`invalid --${flag} ${text}: use NAME=VALUE`);
  return [text.slice(0, at), text.slice(at + 1)];
}

export function readText(flag: string, file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new CliError(`--${flag} ${file} cannot be read: ${textAt(error, 'code')}`);
  }
}
