# gnuplot -e "table='learning-bytes.tsv'; names='full 8-bits'; plot='learning-bytes.svg'" bytes.gp
set terminal svg size 960,320 font "sans-serif,12" background "white"
set output plot
set datafile separator "\t"
array colours[5] = ["#205080", "#c05020", "#30a070", "#8040a0", "#909090"]
array dashes[5] = [1, 1, 1, 2, 1]
set border 3
set tics nomirror
set format x "%g"
set logscale x
set autoscale x noextend
set yrange [0.7:1]
of(name, value) = strcol("precision") eq name ? value : NaN

set multiplot layout 1,3
set title "accuracy on test data, by round"
set xlabel "rounds"
set key bottom right
plot for [i = 1:words(names)] table using (of(word(names, i), column("round"))):"accuracy" \
     with lines lw 1.5 dt dashes[i] lc rgb colours[i] title word(names, i)
set key off
set title "by bytes sent by clients"
set xlabel "megabytes"
plot for [i = 1:words(names)] table using (of(word(names, i), column("client_bytes")) / 1e6):"accuracy" \
     with lines lw 1.5 dt dashes[i] lc rgb colours[i]
set title "by bytes sent by all nodes"
plot for [i = 1:words(names)] table using (of(word(names, i), column("bytes")) / 1e6):"accuracy" \
     with lines lw 1.5 dt dashes[i] lc rgb colours[i]
unset multiplot
