export { readTar, readTarStream, type TarLimits } from './read-tar.ts';
export { type TarEntry, TarError } from './tar-parser.ts';
