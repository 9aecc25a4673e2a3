import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "../parts/problem.tsx";

/** Creates a component whose code is loaded when it is first shown: a page, or a tab of one. */
export function lazyComponent<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Waiting: ComponentType,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function LazyComponent(props: Props) {
    const [failure, setFailure] = useState<unknown>();
    const [, setIsLoaded] = useState(loaded !== undefined);
    useEffect(() => {
      if (loaded !== undefined) return;
      load().then((module) => {
        loaded = module.default;
        setIsLoaded(true);
      }, setFailure);
    }, []);
    useEffect(() => {
      if (failure === undefined) return;
      // Code that could not be loaded is only requested again by a new page.
      const reload = () => location.reload();
      window.addEventListener("online", reload);
      return () => window.removeEventListener("online", reload);
    }, [failure]);
    if (failure !== undefined) {
      return <Problem error={failure} retry={() => location.reload()} isManual />;
    }
    const Loaded = loaded;
    return Loaded === undefined ? <Waiting /> : <Loaded {...props} />;
  };
}
