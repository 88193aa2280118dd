import type { Image } from '@fairlead/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DataTable } from '../../design/data-table.tsx';
import { Empty } from '../../design/empty.tsx';
import { t } from '../../messages/index.ts';

export function ImageTable({ images }: { readonly images: readonly Image[] }) {
  const [text, setText] = useState('');
  if (images.length === 0) return <Empty icon="image" title={t.images.emptyImages} />;
  const shown = images.filter(({ image }) => image.toLowerCase().includes(text.toLowerCase())).slice(0, 200);
  return (
    <>
      <input
        className="input image-filter"
        type="search"
        data-search
        aria-label={t.images.filter}
        placeholder={t.images.filter}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <DataTable
        label={t.images.inUse}
        items={shown}
        keyOf={({ image }) => image}
        columns={[
          { title: t.images.image, cell: ({ image }) => <span className="mono">{image}</span> },
          {
            title: t.images.usedBy,
            cell: ({ image, count }) => (
              <Link to="/applications" search={{ q: image }}>
                {t.fleet.total(count)}
              </Link>
            ),
          },
        ]}
      />
    </>
  );
}
