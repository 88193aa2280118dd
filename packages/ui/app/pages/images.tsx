import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { Page } from '../design/page.tsx';
import { QueryView } from '../design/query-view.tsx';
import { t } from '../messages/index.ts';
import { ImageTable } from './images/image-table.tsx';
import { PrePullTimeline } from './images/pre-pull-timeline.tsx';
import { UpdaterList } from './images/updater-list.tsx';
import './images/images.css';

/** Images in use, what updates them, and what was pulled before a rollout needed it. */
export function ImagesPage() {
  const images = useQuery({
    queryKey: ['images'],
    queryFn: ({ signal }) => client.call('listImages', {}, { signal }),
    refetchInterval: 15_000,
  });
  const prePulls = useQuery({
    queryKey: ['prepulls'],
    queryFn: ({ signal }) => client.call('listPrePulls', {}, { signal }),
    refetchInterval: 5_000,
  });
  return (
    <Page title={t.images.title}>
      <section className="stack">
        <h2>{t.images.prePulls}</h2>
        <QueryView query={prePulls}>{({ items }) => <PrePullTimeline items={items} />}</QueryView>
      </section>
      <QueryView query={images}>
        {({ items, updaters }) => (
          <>
            <section className="stack">
              <h2>{t.images.updaters}</h2>
              <UpdaterList updaters={updaters} />
            </section>
            <section className="stack">
              <h2>{t.images.inUse}</h2>
              <ImageTable images={items} />
            </section>
          </>
        )}
      </QueryView>
    </Page>
  );
}
