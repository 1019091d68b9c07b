# gnuplot -e "table='table.tsv'; plot='learning.svg'" plot.gp
set terminal svg size 960,320 font "sans-serif,12" background "white"
set output plot
set datafile separator "\t"
set key autotitle columnheader
set style line 1 lc rgb "#c05020" pt 7 ps 0.5
set style line 2 lc rgb "#205080" lw 1.5
set border 3
set tics nomirror
set xlabel "round"
set multiplot layout 1,3
set title "loss"
set yrange [0:]
set key top right
plot table using "round":"plain_loss" with lines ls 2 title "plain", \
     "" using "round":"private_loss" with points ls 1 title "through hagg"
set title "accuracy on test data"
set yrange [*:1]
set key bottom right
plot table using "round":"plain_accuracy" with lines ls 2 title "plain", \
     "" using "round":"private_accuracy" with points ls 1 title "through hagg"
set title "greatest difference of a parameter"
set logscale y
set yrange [*:*]
set format y "10^{%T}"
unset mytics
set key bottom right
plot table using "round":"bound" with lines ls 2 dt 2 title "at most, by quantisation", \
     "" using "round":"difference" with points ls 1 title "found"
unset multiplot
