import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dependencyFiles, workspaceFiles } from './app-files.ts';
import { type DebianPackage, unpackPackage } from './debian-packages.ts';
import { entryOf } from './file-tree.ts';
import { createLayer } from './layer.ts';
import { type LockFile, productionPackages } from './npm-packages.ts';
import { createImage, type Image } from './oci-image.ts';
import { provenanceOf } from './provenance.ts';
import { launcher, processConfig, rootFiles } from './root-files.ts';
import { type Contents, sbomOf } from './sbom.ts';

export interface BuiltImage {
  readonly image: Image;
  readonly sbom: object;
  readonly provenance: object;
}

export interface BuildOptions {
  readonly root: string;
  readonly cacheDir: string;
  readonly debian: readonly DebianPackage[];
}

/** The architecture of the machine by the names of container platforms and of Debian. */
export const architecture = process.arch === 'x64' ? 'amd64' : process.arch;

/** Builds the image of the workspace. The result depends only on the commit, the lock files and changed files. */
export function buildImage({ root, cacheDir, debian }: BuildOptions): BuiltImage {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const json = <T>(path: string): T => JSON.parse(readFileSync(join(root, path), 'utf8'));
  const lock = json<LockFile>('package-lock.json');
  const { version } = json<{ version: string }>('package.json');
  const node = json<{ version: string }>('node_modules/node/package.json').version;
  const packages = productionPackages(lock, 'packages/cli');
  const commit = git('rev-parse', 'HEAD');
  const created = new Date(Number(git('log', '-1', '--format=%ct')) * 1000).toISOString().replace('.000Z', 'Z');
  const system = debian.flatMap((each) => unpackPackage(each, cacheDir));
  const program = entryOf(join(root, 'node_modules/node/bin/node'), 'usr/local/bin/node');
  if (!program) throw new Error('node_modules/node/bin/node is missing: run npm ci');
  const layers = [
    createLayer('Debian packages', [...system, ...rootFiles(system)]),
    createLayer('Node', [program, launcher]),
    createLayer('npm packages', dependencyFiles(root, packages, 'app')),
    createLayer('Fairlead', workspaceFiles(root, packages, 'app')),
  ];
  const image = createImage(layers, {
    architecture,
    created,
    config: processConfig,
    reference: `fairlead:${version}`,
    annotations: {
      'org.opencontainers.image.title': 'fairlead',
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.revision': commit,
      'org.opencontainers.image.created': created,
      'org.opencontainers.image.licenses': 'Apache-2.0',
    },
  });
  const contents: Contents = { version, node, architecture, debian, npm: packages.external };
  const { digest } = image.manifest;
  const modified = git('status', '--porcelain', '--untracked-files=no') !== '';
  return {
    image,
    sbom: sbomOf(contents, digest, created),
    provenance: provenanceOf({ commit, modified, image: image.reference, digest }, contents),
  };
}
