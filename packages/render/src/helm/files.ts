import { fn } from '../go-template/function.ts';
import { fromBytes } from '../go-template/go-string.ts';
import { byteSliceType, mapOf, named, stringSlice, uint8Type } from '../go-template/go-type.ts';
import { GoError, GoInt, GoMap, GoSlice, type GoValue, type Methods } from '../go-template/go-value.ts';
import { writeYaml } from '../go-yaml/index.ts';
import { baseName } from '../sprig/paths.ts';
import { fileGlob } from './file-glob.ts';

const filesType = named('engine.files', mapOf(byteSliceType));
const yaml = (entries: Map<string, string>): string => writeYaml(entries).replace(/\n$/, '');

/** Bytes as a template sees them. Created only when used, since each byte is a value. */
const byteList = (bytes: Uint8Array): GoSlice =>
  new GoSlice(
    Array.from(bytes, (byte) => new GoInt(BigInt(byte), uint8Type)),
    byteSliceType,
  );

/** `.Files`: a chart's other files, by path. */
export function filesObject(files: ReadonlyMap<string, Uint8Array>): GoMap {
  const methods: Methods = {
    Get: fn('string', (path: string) => fromBytes(files.get(path) ?? new Uint8Array())),
    GetBytes: fn('string', (path: string) => byteList(files.get(path) ?? new Uint8Array())),
    Lines: fn('string', (path: string) => lines(files.get(path))),
    Glob: fn('string', (pattern: string) => {
      const matches = fileGlob(pattern);
      return filesObject(new Map([...files].filter(([path]) => matches(path))));
    }),
    AsConfig: fn('', () => yaml(new Map([...files].map(([path, bytes]) => [baseName(path), fromBytes(bytes)])))),
    AsSecrets: fn('', () =>
      yaml(new Map([...files].map(([path, bytes]) => [baseName(path), Buffer.from(bytes).toString('base64')]))),
    ),
  };
  return new LazyFiles(files, methods);
}

function lines(content: Uint8Array | undefined): GoValue {
  if (!content) return new GoSlice([], stringSlice);
  if (content.length === 0) throw new GoError('runtime error: index out of range [-1]');
  return new GoSlice(fromBytes(content).replace(/\n$/, '').split('\n'), stringSlice);
}

/** The map that `range .Files` iterates over. Contents become lists of bytes only when they are used. */
class LazyFiles extends GoMap {
  private readonly files: ReadonlyMap<string, Uint8Array>;

  constructor(files: ReadonlyMap<string, Uint8Array>, methods: Methods) {
    super(
      [...files.keys()].map((path) => [path, null] as const),
      filesType,
      methods,
    );
    this.files = files;
  }

  override get(path: string): GoValue {
    const content = this.files.get(path);
    return content ? byteList(content) : undefined;
  }
}
