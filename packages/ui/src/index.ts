export { pagesFolder } from './pages-folder.ts';
