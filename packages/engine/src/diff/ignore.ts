import { isJsonObject, type JsonObject } from '@fairlead/apimachinery';
import { copyAt, type Path, parsePointer, pathsAt } from './paths.ts';

/** The predicted object with the fields named by JSON pointers as they are in the live one. */
export function ignoreFields(predicted: JsonObject, live: JsonObject, pointers: readonly string[]): JsonObject {
  let result = predicted;
  for (const pointer of pointers) {
    const plain = parsePointer(pointer);
    if (!plain) continue;
    const paths: readonly Path[] = plain.includes('*')
      ? [...pathsAt(live, pointer), ...pathsAt(predicted, pointer)]
      : [plain];
    result = asInLive(result, live, paths);
  }
  return result;
}

/** The predicted object with the live values at the paths. */
export function asInLive(predicted: JsonObject, live: JsonObject, paths: readonly Path[]): JsonObject {
  let result = predicted;
  for (const path of paths) {
    const copied = copyAt(result, live, path);
    if (isJsonObject(copied)) result = copied;
  }
  return result;
}
