import { must } from '@fairlead/apimachinery/primitives';
import { joinPath, normalizePath, parentPath, type Tree } from '../tree/tree.ts';
import { messageOf } from '../util/errors.ts';
import { JsonnetError } from './jsonnet-error.ts';
import { type Program, parseProgram } from './parser.ts';
import type { Node } from './syntax.ts';

type Import = Node & { readonly kind: 'import' };

/**
 * The files of a program, all read before it runs: the file itself and its imports, recursively. A missing import is an error only when
 * the program evaluates it.
 */
export class Library {
  readonly programs = new Map<string, Program>();
  readonly contents = new Map<string, Uint8Array>();
  private readonly tree: Tree;
  /** Folders to search for imports that are not next to the importing file, the last one first. */
  private readonly folders: readonly string[];
  private readonly found = new Map<Import, string | JsonnetError>();

  constructor(tree: Tree, folders: readonly string[]) {
    this.tree = tree;
    this.folders = [...folders].reverse();
  }

  async load(file: string): Promise<void> {
    const content = await this.read(file);
    if (!content) throw new JsonnetError(`couldn't open ${JSON.stringify(file)}: there is no such file`);
    await this.parse(file, Buffer.from(content).toString('utf8'));
  }

  /** Parses code that is not in a file, such as that of an external variable. */
  async parse(file: string, text: string): Promise<Program> {
    const program = parseProgram(file, text);
    this.programs.set(file, program);
    for (const node of program.imports) await this.resolve(file, node);
    return program;
  }

  /** The file of an import. */
  fileOf(node: Import): string {
    const found = must(this.found.get(node), `the file of import ${node.path}`);
    if (typeof found === 'string') return found;
    throw new JsonnetError(found.message);
  }

  private async resolve(from: string, node: Import): Promise<void> {
    try {
      for (const folder of [parentPath(from), ...this.folders]) {
        const file = normalizePath(node.path.startsWith('/') ? node.path : joinPath(folder, node.path));
        if (!(await this.read(file))) continue;
        this.found.set(node, file);
        if (node.as === 'code' && !this.programs.has(file)) await this.load(file);
        return;
      }
      this.found.set(
        node,
        new JsonnetError(
          `couldn't open import ${JSON.stringify(node.path)}: no match locally or in the library folders`,
        ),
      );
    } catch (error) {
      if (error instanceof JsonnetError) throw error;
      throw new JsonnetError(`import ${JSON.stringify(node.path)}: ${messageOf(error)}`, node.at);
    }
  }

  private async read(file: string): Promise<Uint8Array | undefined> {
    const content = this.contents.get(file) ?? (await this.tree.read(file));
    if (content) this.contents.set(file, content);
    return content;
  }
}
