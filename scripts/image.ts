/**
 * `npm run image -- [--out DIR] [--update-packages]`: builds the container image without a container engine. Writes DIR/oci (an OCI layout),
 * DIR/fairlead.tar (for `docker load`), DIR/sbom.spdx.json and DIR/provenance.json; the last line is the digest.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommandLine } from './command-line.ts';
import { architecture, buildImage } from './image/build.ts';
import { type DebianPackage, resolvePackages } from './image/debian-packages.ts';
import { archiveOf, writeLayout } from './image/oci-image.ts';

const maxBytes = 250_000_000;
const usage = 'usage: npm run image -- [--out DIR] [--update-packages]';
const { values } = readCommandLine(usage, { out: { type: 'string' }, 'update-packages': { type: 'boolean' } });
const root = fileURLToPath(new URL('..', import.meta.url));
const out = resolve(values.out ?? join(root, 'dist/image'));

const lockPath = join(root, 'scripts/image/debian-packages.json');
type Locked = Record<string, DebianPackage[]>;
const locked: Locked = JSON.parse(readFileSync(lockPath, 'utf8'));
if (values['update-packages']) {
  locked[architecture] = resolvePackages();
  writeFileSync(lockPath, `${JSON.stringify(locked, undefined, 2)}\n`);
}
const debian = locked[architecture];
if (!debian) {
  throw new Error(`${lockPath} has no packages for ${architecture}: run npm run image -- --update-packages`);
}

const { image, sbom, provenance } = buildImage({ root, cacheDir: join(root, 'dist/debian'), debian });
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
writeLayout(image, join(out, 'oci'));
writeFileSync(join(out, 'fairlead.tar'), archiveOf(image));
const writeJson = (name: string, value: object): void =>
  writeFileSync(join(out, name), `${JSON.stringify(value, undefined, 2)}\n`);
writeJson('sbom.spdx.json', sbom);
writeJson('provenance.json', provenance);

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
for (const { comment, bytes, unpackedBytes } of image.layers) {
  console.log(`${comment}: ${megabytes(unpackedBytes)}, ${megabytes(bytes.length)} compressed`);
}
const total = image.layers.reduce((sum, { unpackedBytes }) => sum + unpackedBytes, 0);
console.log(`${image.reference} for linux/${architecture}: ${megabytes(total)}`);
if (total > maxBytes) throw new Error(`the image has ${megabytes(total)}, and may have ${megabytes(maxBytes)}`);
console.log(image.manifest.digest);
