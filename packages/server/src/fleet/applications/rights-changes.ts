import type { AppProject } from '@fairlead/api';
import type { ServerState } from '../../state/server-state.ts';

/** Tells when the rights or the sessions of callers may have changed. */
export class RightsChanges {
  readonly #listeners = new Set<() => void>();
  #version = 0;

  constructor(state: ServerState, signal: AbortSignal) {
    const changed = (isPolicy: boolean): void => {
      if (isPolicy) this.#version += 1;
      for (const listener of this.#listeners) listener();
    };
    const isPolicy = ({ metadata }: { readonly metadata: { readonly name?: string } }): boolean =>
      metadata.name === 'argocd-rbac-cm';
    const removals = [
      state.projects.addHandler({
        onAdd: () => changed(true),
        onUpdate: (old, project) => changed(rolesOf(old) !== rolesOf(project)),
        onDelete: () => changed(true),
      }),
      state.configMaps.addHandler({
        onAdd: (one) => changed(isPolicy(one)),
        onUpdate: (_, one) => changed(isPolicy(one)),
        onDelete: (one) => changed(isPolicy(one)),
      }),
      // Accounts and their tokens.
      state.secrets.addHandler({ onUpdate: () => changed(false), onDelete: () => changed(false) }),
    ];
    signal.addEventListener('abort', () => {
      for (const remove of removals) remove();
    });
  }

  /** Another one after each change of the policy or of the roles of a project. */
  get version(): number {
    return this.#version;
  }

  /** Returns a function that ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

const rolesOf = ({ spec }: AppProject): string => JSON.stringify(spec.roles ?? []);
