import type { AppProject } from '@fairlead/api';
import { type JsonObject, objectAt, textAt } from '@fairlead/apimachinery';

/** The project in a request, as an object of the server's namespace. Its shape was checked when the request was decoded. */
export function projectFromMessage(message: JsonObject, namespace: string): AppProject {
  const metadata = objectAt(message, 'metadata') ?? {};
  const project: unknown = {
    ...message,
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { ...metadata, name: textAt(metadata, 'name'), namespace },
    spec: objectAt(message, 'spec') ?? {},
  };
  return project as AppProject;
}
