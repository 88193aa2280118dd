export { compareKeys } from '@fairlead/apimachinery';
export { type FileStorageOptions, openFileStorage } from './file-storage.ts';
export { defaultHistoryLimits, type HistoryLimits } from './history.ts';
export { StorageError } from './journal.ts';
export { openMemoryStorage } from './memory-storage.ts';
export type { Change, Storage, StorageEvent, Stored } from './storage.ts';
