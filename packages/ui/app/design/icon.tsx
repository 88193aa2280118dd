import type { ReactNode } from 'react';

/** Line icons on a grid of 16. Decorative: the text beside them names them. */
const shapes = {
  apps: <path d="M2.5 2.5h4.5v4.5h-4.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5h-4.5zM9 9h4.5v4.5H9z" />,
  sets: <path d="M8 1.8 14 5 8 8.2 2 5zM2 8l6 3.2L14 8M2 11l6 3.2L14 11" />,
  agent: <path d="M8 5V2.5M3 6.5h10v7H3zM6 9.5v1M10 9.5v1M1.5 9v2M14.5 9v2" />,
  tenant: <path d="M2 13.5V6l6-3.5L14 6v7.5zM6 13.5v-4h4v4" />,
  image: <path d="M8 1.8 14 5v6l-6 3.2L2 11V5zM2 5l6 3.2L14 5M8 8.2v6" />,
  sync: (
    <path d="M13.5 7A5.5 5.5 0 0 0 3.6 4.7L2.5 6M2.5 2.8V6h3.2M2.5 9a5.5 5.5 0 0 0 9.9 2.3l1.1-1.3M13.5 13.2V10h-3.2" />
  ),
  queue: <path d="M2.5 4h11M2.5 8h8M2.5 12h5" />,
  project: <path d="M2 4.5h4.5L8 6h6v7H2z" />,
  repository: (
    <path d="M4.5 4.5v7M4.5 4.5a1.5 1.5 0 1 0-.01 0M4.5 14.5a1.5 1.5 0 1 0-.01 0M11.5 4.5a1.5 1.5 0 1 0-.01 0M11.5 4.5c0 4-7 2.5-7 6" />
  ),
  cluster: (
    <path d="M8 2v3M8 11v3M2.8 5l2.6 1.5M10.6 9.5l2.6 1.5M2.8 11l2.6-1.5M10.6 6.5l2.6-1.5M8 5.2a2.8 2.8 0 1 0 .01 0" />
  ),
  account: <path d="M8 8a2.8 2.8 0 1 0-.01 0M2.5 14c.6-3 2.7-4.2 5.5-4.2s4.9 1.2 5.5 4.2" />,
  settings: (
    <path d="M2 4.5h7M12.5 4.5H14M2 11.5h1.5M7 11.5h7M10.8 6.2a1.7 1.7 0 1 0-.01 0M5.2 13.2a1.7 1.7 0 1 0-.01 0" />
  ),
  search: <path d="M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.8 10.8 14 14" />,
  close: <path d="m3.5 3.5 9 9M12.5 3.5l-9 9" />,
  check: <path d="m3 8.5 3.3 3.3L13 4.5" />,
  chevron: <path d="m6 3.5 4.5 4.5L6 12.5" />,
  down: <path d="m3.5 6 4.5 4.5L12.5 6" />,
  more: <path d="M3 8h.01M8 8h.01M13 8h.01" strokeWidth="2.4" />,
  plus: <path d="M8 3v10M3 8h10" />,
  minus: <path d="M3 8h10" />,
  warning: <path d="M8 2 14.8 13.5H1.2zM8 6.5v3.2M8 11.6v.01" />,
  help: <path d="M8 14.2a6.2 6.2 0 1 0-.01 0M6.2 6.3a1.9 1.9 0 1 1 2.7 1.8c-.6.3-.9.6-.9 1.2M8 11.3v.01" />,
  menu: <path d="M2.5 4h11M2.5 8h11M2.5 12h11" />,
  theme: <path d="M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12" />,
  table: <path d="M2 3h12v10H2zM2 6.5h12M6.5 6.5V13" />,
  grid: (
    <path d="M2.5 2.5h3v3h-3zM6.5 2.5h3v3h-3zM10.5 2.5h3v3h-3zM2.5 6.5h3v3h-3zM6.5 6.5h3v3h-3zM10.5 6.5h3v3h-3zM2.5 10.5h3v3h-3zM6.5 10.5h3v3h-3zM10.5 10.5h3v3h-3z" />
  ),
  fit: <path d="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10" />,
  link: <path d="M6.5 9.5 9.5 6.5M7 4.5 8.8 2.8a2.8 2.8 0 0 1 4 4L11 8.5M9 11.5l-1.8 1.7a2.8 2.8 0 0 1-4-4L5 7.5" />,
  star: <path d="m8 2 1.8 3.9 4.2.5-3.1 2.9.8 4.2L8 11.4l-3.7 2.1.8-4.2L2 6.4l4.2-.5z" />,
  edit: <path d="M3 13h2.2l7.3-7.3-2.2-2.2L3 10.8zM8.8 5l2.2 2.2" />,
  trash: <path d="M2.5 4.5h11M6 4.5V2.5h4v2M4 4.5l.7 9h6.6l.7-9" />,
  commit: <path d="M8 10.5a2.5 2.5 0 1 0-.01 0M8 2v3.5M8 10.5V14" />,
  render: <path d="M5 4.5 1.8 8 5 11.5M11 4.5 14.2 8 11 11.5M9.2 3 6.8 13" />,
  principal: <path d="M2 3h12v4.5H2zM2 8.5h12V13H2zM4.5 5.3h.01M4.5 10.7h.01" />,
  status: <path d="M1.5 8.5h3l2-5 3 9 2-4h3" />,
  operation: <path d="M4 2.5 12.5 8 4 13.5z" />,
  network: (
    <path d="M2 5.5h3.5v5H2zM10.5 2h3.5v4.5h-3.5zM10.5 9.5h3.5V14h-3.5zM5.5 8H8M8 4.2v7.6M8 4.2h2.5M8 11.8h2.5" />
  ),
  compare: <path d="M5 3v8.5M5 11.5 2.8 9.3M5 11.5l2.2-2.2M11 13V4.5M11 4.5 8.8 6.7M11 4.5l2.2 2.2" />,
  list: <path d="M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01" />,
} as const satisfies Record<string, ReactNode>;

export type IconName = keyof typeof shapes;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {shapes[name]}
    </svg>
  );
}
