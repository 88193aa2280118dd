import type { KubeObject } from '@fairlead/apimachinery';
import type { PolicyReads } from '../../src/access/authorizer.ts';

/** A store of roles, bindings and accounts for tests; `put` increments the generation as writes of the server do. */
export class TestPolicy implements PolicyReads {
  readonly #objects = new Map<string, KubeObject>();
  #generation = 0;

  put(resource: string, object: KubeObject): this {
    this.#objects.set(`${resource}|${object.metadata.namespace ?? ''}|${object.metadata.name}`, object);
    this.#generation++;
    return this;
  }

  remove(resource: string, namespace: string, name: string): void {
    this.#objects.delete(`${resource}|${namespace}|${name}`);
    this.#generation++;
  }

  get(resource: string, namespace: string, name: string): KubeObject | undefined {
    return this.#objects.get(`${resource}|${namespace}|${name}`);
  }

  *find(resource: string, namespace?: string): Iterable<KubeObject> {
    const prefix = namespace === undefined ? `${resource}|` : `${resource}|${namespace}|`;
    for (const [key, object] of this.#objects) if (key.startsWith(prefix)) yield object;
  }

  generation(): number {
    return this.#generation;
  }
}

const group = 'rbac.authorization.k8s.io';
const meta = (at: string) => {
  const [namespace, name] = at.includes('/') ? (at.split('/') as [string, string]) : [undefined, at];
  return { name, ...(namespace ? { namespace } : {}) };
};

/** `role(policy, 'ns/name', rules)`, or a ClusterRole without the namespace. */
export const role = (policy: TestPolicy, at: string, ...rules: object[]): TestPolicy =>
  policy.put(`${group}/${at.includes('/') ? 'roles' : 'clusterroles'}`, {
    apiVersion: `${group}/v1`,
    kind: at.includes('/') ? 'Role' : 'ClusterRole',
    metadata: meta(at),
    rules,
  } as KubeObject);

export const bind = (policy: TestPolicy, at: string, roleRef: string, ...subjects: object[]): TestPolicy => {
  const [kind, name] = roleRef.split(' ') as [string, string];
  return policy.put(`${group}/${at.includes('/') ? 'rolebindings' : 'clusterrolebindings'}`, {
    apiVersion: `${group}/v1`,
    kind: at.includes('/') ? 'RoleBinding' : 'ClusterRoleBinding',
    metadata: meta(at),
    roleRef: { apiGroup: group, kind, name },
    subjects,
  } as KubeObject);
};
