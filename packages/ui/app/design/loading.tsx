import { t } from '../messages/index.ts';

export const Loading = ({ lines = 4 }: { readonly lines?: number }) => (
  <div className="stack" role="status" aria-label={t.loading}>
    {Array.from({ length: lines }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
      <div key={line} className="skeleton" />
    ))}
  </div>
);
