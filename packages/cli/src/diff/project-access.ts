import type { ApplicationSource, AppProject } from '@fairlead/api';
import { isForbidden, type Secret, secretType } from '@fairlead/apimachinery';
import { permitSource, repositorySecretSelector } from '@fairlead/app-controller';
import type { HttpClient } from '@fairlead/kube';
import {
  credentialsFor,
  type RemoteAccess,
  readRepositorySecret,
  repositoryTitled,
  type StoredCredentials,
} from '@fairlead/source';

/** The repository access that the controller has. Without the right to read Secrets, only public repositories. */
export async function repositorySecrets(client: HttpClient, namespace: string): Promise<readonly StoredCredentials[]> {
  try {
    const { items } = await client.list<Secret>(secretType, {
      namespace,
      labelSelector: repositorySecretSelector,
    });
    return items.flatMap((secret) => readRepositorySecret(secret) ?? []);
  } catch (error) {
    if (isForbidden(error)) return [];
    throw error;
  }
}

export function projectAccess(
  project: AppProject,
  stored: readonly StoredCredentials[],
  { helm }: ApplicationSource,
): RemoteAccess {
  const permits = ({ project: only }: StoredCredentials): boolean => !only || only === project.metadata.name;
  return {
    permit: (url) => permitSource(project, url),
    credentialsFor: (url) => credentialsFor(url, stored, permits),
    repositoryNamed: (name) => repositoryTitled(name, stored, permits),
    passCredentials: helm?.passCredentials ?? false,
  };
}
