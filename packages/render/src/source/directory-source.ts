import type { DirectorySource } from '@fairlead/api';
import { globMatcher } from '../glob.ts';
import { goJson } from '../go-json/index.ts';
import { evaluateJsonnet, type JsonnetVariable } from '../jsonnet/index.ts';
import { RenderError } from '../render-error.ts';
import { joinPath, normalizePath, type Tree } from '../tree/tree.ts';
import { type Manifest, problemOf, unfold } from './manifest.ts';
import { baseName, parseManifests } from './manifest-file.ts';
import { Variables } from './render-context.ts';

/** The limit for all manifest files of a directory source together. */
const maxCombinedBytes = 10 * 1024 * 1024;
const maxDepth = 64;
/** A file that contains this is skipped. */
const skipMarker = '+argocd:skip-file-rendering';

export interface DirectoryRendering {
  readonly bytes?: number;
  /** Variables that Jsonnet's external variables may refer to. */
  readonly variables?: Variables;
  /** Jsonnet is turned off: its files are left out. */
  readonly withoutJsonnet?: boolean;
}

/** The manifests of the files in a folder, in the order of their paths. */
export async function renderDirectory(
  tree: Tree,
  path: string,
  options: DirectorySource = {},
  {
    bytes: maxBytes = maxCombinedBytes,
    variables = new Variables({}),
    withoutJsonnet = false,
  }: DirectoryRendering = {},
): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  let bytes = 0;
  for (const file of await manifestFiles(tree, path, options)) {
    const content = (await tree.read(file)) ?? new Uint8Array();
    const isProgram = file.endsWith('.jsonnet');
    if (isProgram && withoutJsonnet) continue;
    if (!isProgram) bytes += content.length;
    if (bytes > maxBytes) {
      const limit = `${Math.floor(maxBytes / 1024)} KiB`;
      throw new RenderError(
        'TooLarge',
        `the manifests in ${path || '.'} are larger than ${limit} together. Split the Application, or exclude files.`,
      );
    }
    const text = textOf(file, content);
    if (text.includes(skipMarker)) continue;
    if (isProgram) manifests.push(...(await renderJsonnet(tree, path, file, options.jsonnet, variables)));
    else manifests.push(...parseManifests(file, text));
  }
  return manifests;
}

/** UTF-8, or UTF-16 if the file starts with its byte order mark. */
function textOf(file: string, content: Uint8Array): string {
  const encoding =
    content[0] === 0xff && content[1] === 0xfe
      ? 'utf-16le'
      : content[0] === 0xfe && content[1] === 0xff
        ? 'utf-16be'
        : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content);
  } catch {
    throw new RenderError('InvalidManifest', `${file}: not UTF-8 text`);
  }
}

/** A file evaluates to an object or an array of objects. Imports are searched next to the file, in the libraries, and in the source's folder. */
async function renderJsonnet(
  tree: Tree,
  path: string,
  file: string,
  { extVars = [], tlas = [], libs = [] }: NonNullable<DirectorySource['jsonnet']> = {},
  variables: Variables,
): Promise<Manifest[]> {
  const expanded = (all: readonly JsonnetVariable[]): JsonnetVariable[] =>
    all.map((variable) => ({ ...variable, value: variables.expand(variable.value) }));
  const value = await evaluateJsonnet(tree, file, {
    extVars: expanded(extVars),
    tlas: expanded(tlas),
    libs: [path, ...libs.map((lib) => normalizePath(lib.replace(/^\/+/u, '')))],
  }).catch((error) => {
    if (!(error instanceof RenderError) || error.reason !== 'TemplateFailed') throw error;
    throw new RenderError('InvalidManifest', `Failed to evaluate jsonnet ${baseName(file)}: ${error.message}`);
  });
  const problem = generatedProblem(value);
  if (problem !== undefined)
    throw new RenderError('InvalidManifest', `Failed to unmarshal generated json ${baseName(file)}: ${problem}`);
  return [value].flat().flatMap((one) => (one === null ? [] : unfold(one, { path: file, line: 1 })));
}

/** Argo CD reads the output as an array first, then as one object, and reports the error of the latter. */
function generatedProblem(value: unknown): string | undefined {
  const print = (object: unknown): string => goJson(object, { raw: true, indent: '   ' });
  if (!Array.isArray(value)) return value === null ? undefined : problemOf(value, print);
  const wrong = value.findIndex((one) => one !== null && problemOf(one) !== undefined);
  return wrong < 0 ? undefined : `${problemOf(value)} (element ${wrong}: ${problemOf(value[wrong])})`;
}

async function manifestFiles(tree: Tree, path: string, options: DirectorySource): Promise<string[]> {
  const included = options.include ? globMatcher(options.include) : () => true;
  const excluded = options.exclude ? globMatcher(options.exclude) : () => false;
  const extension = options.disableExtensionFilter ? /(?:)/u : /\.(?:yaml|yml|json|jsonnet)$/u;
  const files: string[] = [];
  const walk = async (dir: string, below: string, depth: number): Promise<void> => {
    if (depth > maxDepth) throw new RenderError('TooLarge', `${dir} is more than ${maxDepth} folders deep`);
    for (const entry of (await tree.list(dir)) ?? []) {
      const [full, relative] = [joinPath(dir, entry.name), joinPath(below, entry.name)];
      if (entry.type === 'directory') {
        if (options.recurse) await walk(full, relative, depth + 1);
        continue;
      }
      if (!extension.test(entry.name)) continue;
      // A link to a file is read; a link to a folder is not followed.
      const type = entry.type === 'symlink' ? (await tree.stat(full))?.type : entry.type;
      if (type === 'file' && !excluded(relative) && included(relative)) files.push(full);
    }
  };
  await walk(path, '', 0);
  return files;
}
