import { useQuery } from '@tanstack/react-query';
import type { ApplicationDetail } from '../api/read-application.ts';
import { Loading } from '../design/loading.tsx';
import { Problem } from '../design/problem.tsx';
import { EventList } from './event-list.tsx';
import { eventsQuery } from './queries.ts';

export default function EventsSection({ app }: { readonly app: ApplicationDetail }) {
  const { data, error } = useQuery(eventsQuery(app));
  if (error) return <Problem error={error} />;
  return data === undefined ? <Loading /> : <EventList answer={data} />;
}
