import type { ReactNode } from 'react';

export interface Column<T> {
  readonly title: string;
  readonly cell: (item: T) => ReactNode;
}

interface DataTableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
}

/** A table of moderate size. */
export const DataTable = <T,>({ label, columns, items, keyOf }: DataTableProps<T>) => (
  <section className="card table-scroll" tabIndex={0} aria-label={label}>
    <table className="table">
      <thead>
        <tr>
          {columns.map(({ title }) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={keyOf(item)}>
            {columns.map(({ title, cell }) => (
              <td key={title}>{cell(item)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
