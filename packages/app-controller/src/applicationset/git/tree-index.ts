import { joinPath, type Tree, type TreeEntry } from '@fairlead/render';

/** The directories and files below a directory, by paths relative to it. */
interface Listing {
  readonly directories: readonly string[];
  readonly files: readonly string[];
}

const maxPaths = 2_000_000;

/**
 * Lists trees. What is below a directory is remembered by the id of its content: after a commit, only the directories on the way to what
 * changed are read.
 */
export class TreeIndex {
  readonly #listings = new Map<string, Listing>();
  #paths = 0;

  /** All directories but hidden ones, in the order of a walk. `key` names the tree. */
  async directories(tree: Tree, key: string): Promise<readonly string[]> {
    const { directories } = await this.#listing(tree, '', `root ${key}`);
    return directories.filter((path) => !path.split('/').some((name) => name.startsWith('.')));
  }

  async files(tree: Tree, key: string): Promise<readonly string[]> {
    return (await this.#listing(tree, '', `root ${key}`)).files;
  }

  async #listing(tree: Tree, directory: string, id: string): Promise<Listing> {
    const known = this.#listings.get(id);
    if (known) {
      // Keeps the map in order of use, least recently used first.
      this.#listings.delete(id);
      this.#listings.set(id, known);
      return known;
    }
    const directories: string[] = [];
    const files: string[] = [];
    for (const entry of (await tree.list(directory)) ?? []) {
      if (!isDirectory(entry)) {
        files.push(entry.name);
        continue;
      }
      directories.push(entry.name);
      const below = await this.#listing(tree, joinPath(directory, entry.name), `${entry.type} ${entry.id}`);
      for (const path of below.directories) directories.push(`${entry.name}/${path}`);
      for (const path of below.files) files.push(`${entry.name}/${path}`);
    }
    return this.#remember(id, { directories, files });
  }

  #remember(id: string, listing: Listing): Listing {
    this.#listings.set(id, listing);
    this.#paths += sizeOf(listing);
    for (const [oldest, dropped] of this.#listings) {
      if (this.#paths <= maxPaths || oldest === id) break;
      this.#listings.delete(oldest);
      this.#paths -= sizeOf(dropped);
    }
    return listing;
  }
}

const isDirectory = ({ type }: TreeEntry): boolean => type === 'directory' || type === 'submodule';
const sizeOf = ({ directories, files }: Listing): number => 1 + directories.length + files.length;
