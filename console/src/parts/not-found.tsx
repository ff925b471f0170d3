import { Link, useLocation } from 'wouter';
import { Text } from './text.tsx';

/** The page of an address that names no page. @param home the page that the link leads to. */
export const NotFound = ({ brand, home }: { brand: string; home: string }) => {
  const [path] = useLocation();
  return (
    <>
      <title>{`Not found – ${brand}`}</title>
      <h1>Not found</h1>
      <p>
        There is no page <Text of={path} />. <Link href={home}>Go to the first page</Link>
      </p>
    </>
  );
};
