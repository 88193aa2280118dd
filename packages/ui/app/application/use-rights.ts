import { useQuery } from '@tanstack/react-query';
import { useMe } from '../api/me.ts';
import { type AppRef, type Rights, rightsQuery } from './queries.ts';

const none = { sync: false, update: false, remove: false, logs: false, override: false, exec: false };

/** Nothing is offered before the server has said that it is allowed. */
export function useRights(ref: AppRef, project: string): Rights {
  const { namespace } = useMe().settings;
  return useQuery({ ...rightsQuery(ref, project, namespace), enabled: project !== '' }).data ?? none;
}
