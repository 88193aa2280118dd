import { namespace, pageSize } from './fleet.ts';

/** What users of a list ask for, one after the other. */
export const lists = (apps: number): readonly string[] => [
  '/applications',
  '/applications?health=Degraded&sort=-reconciledAt',
  `/applications?project=team-${Math.floor(apps / pageSize / 2)}&sync=Synced`,
  `/applications?q=${String(apps - 1).padStart(5, '0')}`,
  '/applications?q=app&sort=health&limit=200',
];

/** The flow of Applications all over the fleet. */
export const flows = (apps: number): readonly string[] =>
  [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const number = String(Math.floor(share * (apps - 1))).padStart(5, '0');
    return `/applications/${namespace}/app-${number}/flow`;
  });

export const facets = ['/facets', '/facets?health=Degraded', '/facets?project=team-0&sync=Synced', '/facets?q=app-000'];
