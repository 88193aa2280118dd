import type { Condition } from '@fairlead/apimachinery';
import { humanDuration } from './age.ts';
import { orNone, tableOf } from './columns.ts';

interface Subject {
  kind: string;
  name: string;
  namespace?: string;
}
const subjectsText = (subjects: readonly Subject[] = [], kind: string): string =>
  subjects
    .filter((subject) => subject.kind === kind)
    .map(({ name, namespace }) => (kind === 'ServiceAccount' ? `${namespace ?? ''}/${name}` : name))
    .join(', ');

export const bindings = tableOf<{ roleRef?: { kind: string; name: string }; subjects?: Subject[] }>(
  'Name, Role, Age, Users*, Groups*, ServiceAccounts*',
  ({ roleRef, subjects }) => [
    `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`,
    subjectsText(subjects, 'User'),
    subjectsText(subjects, 'Group'),
    subjectsText(subjects, 'ServiceAccount'),
  ],
);

export const certificateRequests = tableOf<{
  spec?: { signerName?: string; username?: string; expirationSeconds?: number };
  status?: { conditions?: Condition[]; certificate?: string };
}>('Name, Age, SignerName, Requestor, RequestedDuration, Condition', ({ spec = {}, status = {} }) => {
  const has = (type: string): boolean => (status.conditions ?? []).some((condition) => condition.type === type);
  const states = [
    has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending',
    ...(has('Failed') ? ['Failed'] : []),
    ...(status.certificate ? ['Issued'] : []),
  ];
  return [
    orNone(spec.signerName),
    spec.username ?? '',
    spec.expirationSeconds === undefined ? '<none>' : humanDuration(spec.expirationSeconds * 1000),
    states.join(','),
  ];
});

export const apiServices = tableOf<{
  spec?: { service?: { namespace?: string; name?: string } };
  status?: { conditions?: Condition[] };
}>('Name, Service, Available, Age', ({ spec = {}, status = {} }) => {
  const available = status.conditions?.find(({ type }) => type === 'Available');
  const because = available && available.status !== 'True' && available.reason ? ` (${available.reason})` : '';
  return [
    spec.service ? `${spec.service.namespace ?? ''}/${spec.service.name ?? ''}` : 'Local',
    `${available?.status ?? 'Unknown'}${because}`,
  ];
});
