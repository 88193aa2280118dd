import type { Texts } from '../config/kustomization.ts';
import { KustomizeError, within } from '../kustomize-error.ts';
import type { Loader } from '../loader.ts';
import { isBuiltInKind } from './built-in-kinds.ts';
import { builtInSchema } from './built-in-schema.ts';
import type { SchemaLookup } from './merge-schema.ts';
import { openApiSchema } from './open-api-schema.ts';

const builtInVersion = 'v1.21.2';

/**
 * The types of a build. The first kustomization with its own types, starting with the root, decides for the whole build. They replace the
 * built-in types, unless those have been used by then, or an object of an unknown kind has been read: then they are added to them.
 */
export class Schemas {
  private current: SchemaLookup = builtInSchema;
  private isSet = false;
  private builtInUsed = false;

  /** Finds a type among those that are known at the time of the call. */
  readonly lookup: SchemaLookup = (apiVersion, kind) => {
    if (this.current === builtInSchema) this.builtInUsed = true;
    return this.current(apiVersion, kind);
  };

  /** Called with objects when they are read. */
  saw(resources: readonly { readonly apiVersion: string; readonly kind: string }[]): void {
    this.builtInUsed ||= !this.isSet && resources.some(({ apiVersion, kind }) => !isBuiltInKind(apiVersion, kind));
  }

  async use(openapi: Texts | undefined, loader: Loader, isRoot: boolean): Promise<void> {
    const path = openapi?.get('path');
    const version = openapi?.get('version') ?? '';
    const text = path === undefined ? undefined : await loader.loadText(path);
    if (this.isSet && !isRoot) return;
    if (path !== undefined && text !== undefined) {
      if (openapi?.has('version'))
        throw new KustomizeError('builtin version and custom schema provided, cannot use both');
      const own = within(path, () => openApiSchema(text));
      this.current = this.builtInUsed ? (...type) => own(...type) ?? builtInSchema(...type) : own;
      this.isSet = true;
    } else if (version !== '') {
      if (version !== builtInVersion) throw new KustomizeError('the specified OpenAPI version is not built in');
      this.isSet = true;
    }
  }
}
